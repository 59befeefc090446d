package main

import (
	"runtime"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/core"
	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/tools/deepemd/internal/cmdtest"
	"github.com/deepemd/deepemd/tools/deepemd/internal/verb"
)

func TestHelp(t *testing.T) {
	out := require.Value(cmdtest.Run())(t)
	for _, command := range verb.Root().Commands() {
		if !strings.Contains(out, command.Name()) || command.Short == "" {
			t.Errorf("the help does not explain %s:\n%s", command.Name(), out)
		}
	}
}

func TestVersion(t *testing.T) {
	out := require.Value(cmdtest.Run("version"))(t)
	for _, want := range []string{"deepemd " + core.Version, runtime.Version(), runtime.GOARCH, "kernels "} {
		if !strings.Contains(out, want) {
			t.Errorf("%q does not say %q", out, want)
		}
	}
}

func TestUnknownCommand(t *testing.T) {
	_, err := cmdtest.Run("train-on-the-moon")
	if want := "unknown command \"train-on-the-moon\": `deepemd --help` lists them"; err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
}
