package main

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

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
	for args, want := range map[string]string{
		"help": "deepemd [flags]", "help project info": "deepemd project info FILE", "classify things --help": "deepemd classify", "project --help": "deepemd project",
	} {
		cmdtest.Prints(t, "Usage:\n  "+want, strings.Fields(args)...)
	}
}

// TestUsages: pflag would take a quoted word of a flag's usage for the name of its value.
func TestUsages(t *testing.T) {
	var walk func(c *cobra.Command)
	walk = func(c *cobra.Command) {
		c.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if strings.Contains(f.Usage, "`") {
				t.Errorf("%s --%s: a backquote in %q", c.CommandPath(), f.Name, f.Usage)
			}
		})
		for _, sub := range c.Commands() {
			walk(sub)
		}
	}
	walk(verb.Root())
}

func TestVersion(t *testing.T) {
	out := require.Value(cmdtest.Run("version"))(t)
	if asked := require.Value(cmdtest.Run("--version"))(t); asked != out {
		t.Errorf("--version prints %q, version %q", asked, out)
	}
	for _, want := range []string{"deepemd " + core.Version, runtime.Version(), runtime.GOARCH, "kernels "} {
		if !strings.Contains(out, want) {
			t.Errorf("%q does not say %q", out, want)
		}
	}
}

// TestFullOutput: output that cannot be written is an error.
func TestFullOutput(t *testing.T) {
	project := filepath.Join(t.TempDir(), "things.deepemd")
	require.Value(cmdtest.Run("project", "make", "--support", cmdtest.Pictures(t, 1), project))(t)
	for _, args := range [][]string{{"version"}, {"project", "info", project}} {
		command := verb.Root()
		command.SetOut(full{})
		if err := verb.Execute(command, args); !errors.Is(err, syscall.ENOSPC) {
			t.Errorf("%v: error %v", args, err)
		}
	}
}

// full is an output on a full disk.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, syscall.ENOSPC }

// TestWrongArguments: the error for a misspelled command or wrong arguments has a remedy, also
// before flags.
func TestWrongArguments(t *testing.T) {
	for _, test := range []struct{ args, want string }{
		{"train-on-the-moon", "unknown command \"train-on-the-moon\": `deepemd --help` lists them"},
		{"clasify --support things", `unknown command "clasify": did you mean classify?`},
		{"train pretrian --out run", `unknown command "pretrian": did you mean pretrain?`},
		{"clasify --help", `unknown command "clasify": did you mean classify?`},
		{"help clasify", `unknown command "clasify": did you mean classify?`},
		{"help project show", "unknown command \"show\": `deepemd project --help` lists them"},
		{"project show my.deepemd", "unknown command \"show\": `deepemd project --help` lists them"},
		{"train pretrain run", "pretrain takes only flags, got \"run\": `deepemd train pretrain --help` explains them"},
		{"eval --datta things", "unknown flag: --datta: `deepemd eval --help` lists the flags"},
		{"project info", "info takes one project file, got 0: deepemd project info my.deepemd"},
		{"search my.index", "search takes an index and at least one query, got 1: deepemd search X.index query.jpg"},
	} {
		if _, err := cmdtest.Run(strings.Fields(test.args)...); err == nil || err.Error() != test.want {
			t.Errorf("%s: error %v, want %s", test.args, err, test.want)
		}
	}
}

// TestFilesWithoutEnd: each flag rejects devices and files that are far too large, at once.
func TestFilesWithoutEnd(t *testing.T) {
	things, out := cmdtest.Pictures(t, 1), t.TempDir()
	picture := filepath.Join(things, "chess", "0.png")
	index := filepath.Join(out, "a.index")
	require.Value(cmdtest.Run("index", things, "--out", index))(t)
	huge := func(ending string) string {
		path := filepath.Join(out, "huge"+ending)
		require.NoError(t, os.WriteFile(path, nil, 0o666))
		require.NoError(t, os.Truncate(path, 1<<40))
		return path
	}
	write := filepath.Join(out, "w.safetensors")
	tests := [][]string{
		{"search", index, huge(".jpg")},
		{"classify", "--support", things, "--query", huge(".jpg")},
		{"explain", huge(".jpg"), picture},
		{"classify", "--support", things, "--query", picture, "--weights", huge(".safetensors")},
		{"project", "info", huge(".deepemd")},
		{"search", huge(".index"), picture},
		{"eval", "--data", things, "--split", huge(".json")},
		{"eval", "--data", things, "--episodes", huge(".json")},
		{"emd", "--in", huge(".json")},
	}
	for _, ending := range []string{".pth", ".safetensors", ".onnx", ".npz"} {
		tests = append(tests, []string{"import", huge(ending), write})
	}
	if _, err := os.Stat("/dev/zero"); err == nil {
		tests = append(tests, []string{"search", index, "/dev/zero"}, []string{"classify", "--support", things, "--query", "/dev/zero"},
			[]string{"import", "/dev/zero", write}, []string{"emd", "--in", "/dev/zero"},
			[]string{"classify", "--support", things, "--query", picture, "--weights", "/dev/zero"})
	}
	for _, args := range tests {
		_, err := cmdtest.Run(args...)
		if err == nil || !strings.Contains(err.Error(), "huge.") && !strings.Contains(err.Error(), "/dev/zero") {
			t.Errorf("%v: error %v", args, err)
		}
	}
}
