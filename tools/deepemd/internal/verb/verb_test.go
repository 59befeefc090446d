package verb

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"syscall"
	"testing"

	"github.com/spf13/cobra"
)

func TestReportIsOneLine(t *testing.T) {
	var out bytes.Buffer
	Report(&out, errors.Join(errors.New("my  w.safetensors: first\n\tpart"), errors.New("second\n")))
	if got, want := out.String(), "deepemd: my  w.safetensors: first part second\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestPanicBecomesAnError(t *testing.T) {
	broken := &cobra.Command{RunE: func(*cobra.Command, []string) error {
		var none []int
		_ = none[3]
		return nil
	}}
	err := Execute(broken, nil)
	if err == nil {
		t.Fatal("no error")
	}
	for _, want := range []string{"internal error, please report it", "index out of range [3]", "verb_test.go:"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("error %q does not say %q", err, want)
		}
	}
}

func TestFullDiskSaysWhatToDo(t *testing.T) {
	full := &fs.PathError{Op: "write", Path: "w.onnx", Err: syscall.ENOSPC}
	for _, c := range []struct{ given, want error }{
		{full, errors.New("write w.onnx: no space left on device: the disk is full: make room there, or name another place to write to")},
		{fmt.Errorf("%w: the disk is full: make room", full), errors.New("write w.onnx: no space left on device: the disk is full: make room")},
		{errors.New("no such file"), errors.New("no such file")},
		{nil, nil},
	} {
		command := &cobra.Command{RunE: func(*cobra.Command, []string) error { return c.given }, SilenceErrors: true, SilenceUsage: true}
		if got := Execute(command, nil); fmt.Sprint(got) != fmt.Sprint(c.want) {
			t.Errorf("%v is reported as %v, want %v", c.given, got, c.want)
		}
	}
}
