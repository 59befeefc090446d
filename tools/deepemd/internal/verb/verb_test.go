package verb

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/spf13/cobra"

	"github.com/deepemd/deepemd/internal/require"
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

func TestErrorsOfTheSystemSayWhatToDo(t *testing.T) {
	full := &fs.PathError{Op: "write", Path: "w.onnx", Err: syscall.ENOSPC}
	for _, c := range []struct{ given, want error }{
		{full, errors.New("write w.onnx: no space left on device: the disk is full: make room there, or name another place to write to")},
		{fmt.Errorf("%w: the disk is full: make room", full), errors.New("write w.onnx: no space left on device: the disk is full: make room")},
		{&fs.PathError{Op: "mkdir", Path: "runs", Err: syscall.EACCES}, errors.New("mkdir runs: permission denied: change the permissions, or name another place")},
		{&net.OpError{Op: "listen", Err: syscall.EACCES}, errors.New("listen: permission denied")},
		{errors.New("no such file"), errors.New("no such file")},
		{nil, nil},
	} {
		command := &cobra.Command{RunE: func(*cobra.Command, []string) error { return c.given }, SilenceErrors: true, SilenceUsage: true}
		if got := Execute(command, nil); fmt.Sprint(got) != fmt.Sprint(c.want) {
			t.Errorf("%v is reported as %v, want %v", c.given, got, c.want)
		}
	}
}

// TestStoppedIsSaid: the error of a stopped verb does not name a context.
func TestStoppedIsSaid(t *testing.T) {
	for _, c := range []struct{ given, want error }{
		{fmt.Errorf("the teacher: %w", context.Canceled), errors.New("stopped before the end: nothing was written")},
		{errors.New("stopped at step 3 and saved"), errors.New("stopped at step 3 and saved")},
		{nil, nil},
	} {
		command := &cobra.Command{RunE: Stoppable(func(*cobra.Command, []string) error { return c.given }), SilenceErrors: true, SilenceUsage: true}
		if got := Execute(command, []string{}); fmt.Sprint(got) != fmt.Sprint(c.want) {
			t.Errorf("%v is reported as %v, want %v", c.given, got, c.want)
		}
	}
}

// TestValuesOfFlags: an error names the values that a flag takes.
func TestValuesOfFlags(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, name := range []string{"-1.jpg", "--2.jpg"} {
		require.NoError(t, os.WriteFile(name, nil, 0o666))
	}
	for arg, want := range map[string]string{
		"--int=1.5":                  "--int 1.5: want a whole number: `deepemd try --help` lists the flags",
		"--int=9e99":                 "--int 9e99: want a whole number: ",
		"--int=99999999999999999999": "--int 99999999999999999999: want a whole number of 64 bits: ",
		"--uint64=-1":                "--uint64 -1: want a whole number, 0 or above",
		"--float64=much":             "--float64 much: want a number",
		"--ints=2,x":                 "--ints 2,x: want whole numbers, separated by commas",
		"--bool=maybe":               "--bool maybe: want true or false",
		"--duration=30":              "--duration 30: want a time, such as 30s",
		"--float64":                  "flag needs an argument: --float64",
		"-1.jpg":                     "-1.jpg is taken for a flag: write ." + string(filepath.Separator) + "-1.jpg for the file: ",
		"--2.jpg":                    "--2.jpg is taken for a flag: write ." + string(filepath.Separator) + "--2.jpg for the file: ",
		"-3.jpg":                     "unknown shorthand flag: '3' in -3.jpg: ",
	} {
		root, try := Root(), &cobra.Command{Use: "try", RunE: func(*cobra.Command, []string) error { return nil }}
		f := try.Flags()
		f.Int("int", 0, "")
		f.Uint64("uint64", 0, "")
		f.Float64("float64", 0, "")
		f.IntSlice("ints", nil, "")
		f.Bool("bool", false, "")
		f.Duration("duration", 0, "")
		root.AddCommand(try)
		if err := Execute(root, []string{"try", arg}); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", arg, err, want)
		}
	}
}
