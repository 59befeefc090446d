package verb

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

func TestReportIsOneLine(t *testing.T) {
	var out bytes.Buffer
	Report(&out, errors.Join(errors.New("w.safetensors: first\n\tpart"), errors.New("second")))
	if got, want := out.String(), "deepemd: w.safetensors: first part second\n"; got != want {
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
