package tests

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/tools/deepemd/internal/cmdtest"
	"github.com/deepemd/deepemd/trainer/training"
)

// work is a task of the command that takes a second or two, with its result.
type work struct {
	name string
	// usual is the default number of tries.
	usual int
	// start is the command line that does it into a folder.
	start func(dir string) []string
	// further returns the command line for continuing once the folder has settings, or nil for the
	// same one.
	further func(dir string) []string
	// outcome reads from the folder what must be the same however often it was ended.
	outcome func(t *testing.T, dir string) map[string][]byte
	// again returns the command line that overwrites existing results; optional.
	again func(dir string) []string
	// results are the names of the files that remain in the end, and no others do.
	results []string
}

// all returns the tested tasks.
func all(t *testing.T) []work {
	t.Helper()
	return []work{trains(t), indexes(t), reproduces(t)}
}

// alone runs the task undisturbed, and returns its duration and result.
func (w work) alone(t *testing.T) (took time.Duration, want map[string][]byte) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "whole")
	mkdir(t, dir)
	began := time.Now()
	works(t, w.start(dir)...)
	took = time.Since(began)
	want = w.outcome(t, dir)
	w.onlyResults(t, "left alone", dir)
	return took, want
}

// next returns the command line that continues the task in a folder.
func (w work) next(dir string) []string {
	if w.further != nil {
		if _, err := os.Stat(filepath.Join(dir, settings)); err == nil {
			return w.further(dir)
		}
	}
	return w.start(dir)
}

// settings is the file that a training begins with.
const settings = "settings.toml"

// things makes images of classes that differ by the shift of stripes, and a split.
func things(t *testing.T, classes, each int) (dir, split string) {
	t.Helper()
	dir = t.TempDir()
	var names []string
	for c := range classes {
		name := fmt.Sprintf("class%02d", c)
		names = append(names, `"`+name+`"`)
		for n := range each {
			cmdtest.Picture(t, filepath.Join(dir, name, fmt.Sprintf("%d.png", n)), c%3, n+5*c)
		}
	}
	split = filepath.Join(t.TempDir(), "split.json")
	half := classes / 2
	cmdtest.WriteText(t, split, fmt.Sprintf(`{"train": [%s], "val": [%s], "test": []}`,
		strings.Join(names[:half], ","), strings.Join(names[half:], ",")))
	return dir, split
}

// trains returns a training of five epochs, each validated.
func trains(t *testing.T) work {
	t.Helper()
	data, split := things(t, 12, 18)
	return work{
		name: "training", usual: 1,
		start: func(dir string) []string {
			return []string{"train", "pretrain", "--device", "cpu", "--data", data, "--split", split, "--out", dir, "--set", "widths=[4,4,4,4]", "--set", "average=0.9",
				"--set", "stages=[{epochs=3,size=16,batch=18},{epochs=2,size=32,batch=18}]", "--set", "validation_episodes=2"}
		},
		further: func(dir string) []string { return []string{"train", "pretrain", "--resume", "--out", dir} },
		outcome: func(t *testing.T, dir string) map[string][]byte {
			t.Helper()
			held := files(t, dir)
			// The header tells the time that was spent, and the checksum is of that, too.
			_, values, _ := bytes.Cut(held[training.CheckpointFile], []byte("\n"))
			if len(values) < 4 {
				t.Fatalf("%s: no checkpoint", dir)
			}
			return map[string][]byte{
				"checkpoint": values[:len(values)-4], training.BestFile: held[training.BestFile], training.LastFile: held[training.LastFile],
				"steps": steps(t, dir),
			}
		},
		results: []string{training.CheckpointFile, training.BestFile, training.LastFile, training.LogFile, training.CurvesFile, settings},
	}
}

// indexes returns an index of images.
func indexes(t *testing.T) work {
	t.Helper()
	data, _ := things(t, 12, 30)
	net := cmdtest.Weights(t, nil)
	line := func(dir string) []string {
		return []string{"index", data, "--out", filepath.Join(dir, "pictures.index"), "--weights", net}
	}
	// A second try has nothing to add, so it writes nothing.
	return work{name: "index", usual: 2, start: line, outcome: files, results: []string{"pictures.index"}}
}

// reproduces measures a table of the paper with a separate cache.
func reproduces(t *testing.T) work {
	t.Helper()
	data, _ := things(t, 5, 12)
	net := cmdtest.Weights(t, nil)
	line := func(dir string) []string {
		return []string{"reproduce", "table2", "--data", data, "--weights", net, "--query", "1", "--episodes", "6", "--out", dir, "--cache", dir + ".cache"}
	}
	return work{
		name: "reproduce", usual: 2, start: line,
		outcome: func(t *testing.T, dir string) map[string][]byte {
			t.Helper()
			return map[string][]byte{"measured": measured(t, dir)}
		},
		results: []string{"measured.jsonl", "table2.md", "README.md"},
	}
}

// files reads all files of a folder.
func files(t *testing.T, dir string) map[string][]byte {
	t.Helper()
	entries := require.Value(os.ReadDir(dir))(t)
	all := map[string][]byte{}
	for _, e := range entries {
		if e.IsDir() {
			all[e.Name()+"/"] = nil
			continue
		}
		all[e.Name()] = require.Value(os.ReadFile(filepath.Join(dir, e.Name())))(t)
	}
	return all
}
