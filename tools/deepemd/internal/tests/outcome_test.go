package tests

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/tools/deepemd/internal/cmdtest"
)

// steps returns the log of a training without what tells the time.
func steps(t *testing.T, dir string) []byte {
	t.Helper()
	var out []byte
	for _, r := range cmdtest.Log(t, dir) {
		r.Seconds, r.PerSecond = 0, 0
		out = fmt.Appendf(out, "%+v\n", r)
	}
	return out
}

// measured returns the results of reproduce without times, in a fixed order.
func measured(t *testing.T, dir string) []byte {
	t.Helper()
	var lines []string
	for line := range bytes.Lines([]byte(cmdtest.ReadText(t, filepath.Join(dir, "measured.jsonl")))) {
		var cell map[string]any
		require.NoError(t, json.Unmarshal(line, &cell))
		for _, name := range []string{"date", "millisecondsPerQuery", "millisecondsToLearn"} {
			delete(cell, name)
		}
		text := require.Value(json.Marshal(cell))(t)
		lines = append(lines, string(text)+"\n")
	}
	slices.Sort(lines)
	return []byte(fmt.Sprint(lines))
}

// same fails the test where an outcome differs from that of work that was left alone.
func same(t *testing.T, when string, got, want map[string][]byte) {
	t.Helper()
	for name, w := range want {
		if !bytes.Equal(got[name], w) {
			t.Errorf("%s: %s differs from that of work that was left alone: %d bytes, want %d", when, name, len(got[name]), len(w))
		}
	}
}

// onlyResults fails the test unless a folder holds the results and nothing else.
func (w work) onlyResults(t *testing.T, when, dir string) {
	t.Helper()
	var got []string
	for name := range files(t, dir) {
		got = append(got, name)
	}
	slices.Sort(got)
	if want := slices.Sorted(slices.Values(w.results)); !slices.Equal(got, want) {
		t.Errorf("%s: the folder holds %v, want %v", when, got, want)
	}
}
