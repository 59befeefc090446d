package evaluate

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/core/network"
	"github.com/deepemd/deepemd/internal/atomicfile"
	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/tools/deepemd/internal/cmdtest"
	"github.com/deepemd/deepemd/tools/deepemd/internal/reproduce"
)

// fiveClasses returns a folder of five classes with six images each.
func fiveClasses(t *testing.T) string {
	data := t.TempDir()
	for class := range 5 {
		for n := range 6 {
			cmdtest.Picture(t, filepath.Join(data, fmt.Sprint("class", class), fmt.Sprintf("%d.png", n)), class%3, n+7*class)
		}
	}
	return data
}

func TestReproduce(t *testing.T) {
	data, out := fiveClasses(t), filepath.Join(t.TempDir(), "report")
	args := []string{"reproduce", "table2", "table4", "--data", data, "--size", "32", "--query", "1", "--episodes", "2", "--one-shot-episodes", "3", "--out", out, "--cache", t.TempDir()}
	cmdtest.Prints(t, "2 tables", args...)
	read := func(name string) string {
		t.Helper()
		raw := require.Value(os.ReadFile(filepath.Join(out, name)))(t)
		return string(raw)
	}
	measured, page := read("measured.jsonl"), read("README.md")
	for _, want := range []string{
		"deepemd reproduce table2 --data " + filepath.Base(data) + " --episodes 2 --one-shot-episodes 3 --query 1 --size 32 --out report",
		"model " + network.ResNet12Photo + ", SHA-256 ", "3 episodes for one shot with 1 query per class", "2 episodes for several shots with 1 query per class", "Not measured without --weights-plain",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("README.md lacks %q:\n%s", want, page)
		}
	}
	if !strings.Contains(read("table2.md"), "| EMD, equal weights | ") {
		t.Error("table2.md lacks equal weights")
	}
	if _, err := cmdtest.Run(args...); err != nil || read("measured.jsonl") != measured {
		t.Errorf("a second run measures again (%v)", err)
	}
	if _, err := cmdtest.Run(append(args, "--times")...); err != nil || strings.Count(read("measured.jsonl"), `"timedAlone":true`) != strings.Count(measured, "\n") {
		t.Errorf("times were not measured alone (%v):\n%s", err, read("measured.jsonl"))
	}
}

func TestReproduceList(t *testing.T) {
	stdout := require.Value(cmdtest.Run("reproduce", "--list"))(t)
	for _, table := range reproduce.Tables(reproduce.Plan{}) {
		if !strings.Contains(stdout, table.Name+" ") || !strings.Contains(stdout, table.Title) {
			t.Errorf("the list lacks %s:\n%s", table.Name, stdout)
		}
	}
}

func TestReproduceErrors(t *testing.T) {
	out, data := t.TempDir(), fiveClasses(t)
	for want, args := range map[string]string{
		"no table is given":       "--data d --out " + out,
		`no table "table99"`:      "table99 --data d --out " + out,
		"--data is missing":       "table1 --out " + out,
		"--out is missing":        "table1 --data d",
		"want at least 2":         "table1 --data d --episodes 1 --out " + out,
		"--shot-episodes 1: want": "kshot --data d --shot-episodes 1 --out " + out,
		"--one-shot-episodes 1":   "table1 --data d --one-shot-episodes 1 --out " + out,
		"--query 0":               "table1 --data d --query 0 --out " + out,
		"--crop-pictures -1":      "table3 --data d --crop-pictures -1 --out " + out,
		"--crop-pictures 19: an episode of table3 needs 20": "table3 --data " + data + " --crop-pictures 19 --out " + out,
		"--shots: want":            "kshot --data d --shots 0 --out " + out,
		"--set requires --split":   "table1 --data " + data + " --set train --out " + out,
		"--onto is missing":        "table5 --data d --out " + out,
		"--onto-split requires":    "table1 --data d --onto-split s.json --out " + out,
		"cannot be combined":       "table1 --data d --anew --times --out " + out,
		"is the path right?":       "table1 --data nowhere --out " + out,
		"want pixels from":         "table1 --data d --size 3 --out " + out,
		"nowhere.safetensors: no ": "table4 --data d --weights-plain nowhere.safetensors --out " + out,
	} {
		cmdtest.Fails(t, want, append([]string{"reproduce"}, strings.Fields(args)...)...)
	}
}

// Table 6 needs neither network nor data. Its run is stopped at once: the report has the paper's times.
func TestReproduceTable6(t *testing.T) {
	t.Chdir(t.TempDir())
	stopped, stop := context.WithCancel(t.Context())
	stop()
	command := newReproduceCommand()
	command.SetArgs([]string{"table6", "--out", "report"})
	command.SilenceErrors, command.SilenceUsage = true, true
	if err := command.ExecuteContext(stopped); err == nil || !strings.Contains(err.Error(), "the same command continues") {
		t.Errorf("table 6: error %v, want that it was stopped", err)
	}
	if page, err := os.ReadFile(filepath.Join("report", "table6.md")); err != nil || !strings.Contains(string(page), "| Interior point, L2 | 5×5 | 512 | 8638 |") {
		t.Errorf("table 6: %v:\n%s", err, page)
	}
}

// TestOneAtATime refuses to measure into a folder that another process writes into.
func TestOneAtATime(t *testing.T) {
	out := t.TempDir()
	held := require.Value(atomicfile.HoldFolder(out))(t)
	reproduce := func() error {
		_, err := cmdtest.Run("reproduce", "table1", "--data", "absent.zip", "--out", out)
		return err
	}
	if err := reproduce(); !errors.As(err, new(*atomicfile.InUseError)) || !strings.Contains(err.Error(), out) {
		t.Errorf("error %v, want that %s is in use", err, out)
	}
	require.NoError(t, held.Release())
	if err := reproduce(); err == nil || !strings.Contains(err.Error(), "absent.zip") {
		t.Errorf("afterwards: error %v, want one of the images", err)
	}
}
