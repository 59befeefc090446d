package main

import (
	"bytes"
	"errors"
	"runtime"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/deepemd/deepemd/core/version"
)

func TestReportIsOneLine(t *testing.T) {
	var out bytes.Buffer
	report(&out, errors.Join(errors.New("w.safetensors: first\n\tpart"), errors.New("second")))
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
	err := execute(broken, nil)
	if err == nil {
		t.Fatal("no error")
	}
	for _, want := range []string{"internal error, please report it", "index out of range [3]", "main_test.go:"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("error %q does not say %q", err, want)
		}
	}
}

func TestUnknownCommand(t *testing.T) {
	_, err := run("train-on-the-moon")
	if want := "unknown command \"train-on-the-moon\": `deepemd --help` lists them"; err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
}

func TestHelp(t *testing.T) {
	out, err := run()
	if err != nil {
		t.Fatal(err)
	}
	for _, command := range root().Commands() {
		if !strings.Contains(out, command.Name()) || command.Short == "" {
			t.Errorf("the help does not explain %s:\n%s", command.Name(), out)
		}
	}
}

func TestVersion(t *testing.T) {
	out, err := run("version")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"deepemd " + version.Current, runtime.Version(), runtime.GOARCH, "kernels "} {
		if !strings.Contains(out, want) {
			t.Errorf("%q does not say %q", out, want)
		}
	}
}
