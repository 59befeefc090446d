// Package cmdtest runs the command in tests and makes its inputs: images, recordings, networks,
// arrays.
package cmdtest

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/internal/arrays"
	"github.com/deepemd/deepemd/internal/cluster"
	"github.com/deepemd/deepemd/internal/networktest"
	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/internal/tensor"
	"github.com/deepemd/deepemd/tools/deepemd/internal/verb"
	"github.com/deepemd/deepemd/trainer/training"
)

// Run executes a command line with the verbs that the test links, and returns both outputs.
func Run(args ...string) (string, error) {
	var out bytes.Buffer
	plain := verb.Plain(&out)
	err := run(cluster.Single{}, plain, plain, args)
	return out.String(), err
}

// Ranks executes a command line on each rank of a group, and returns all outputs and errors.
func Ranks(lines ...[]string) (string, error) {
	outs, errs := make([]bytes.Buffer, len(lines)), make([]error, len(lines))
	var wait sync.WaitGroup
	for rank, g := range cluster.InProcess(len(lines)) {
		wait.Go(func() { errs[rank] = run(g, &outs[rank], &outs[rank], lines[rank]) })
	}
	wait.Wait()
	text := ""
	for i := range outs {
		text += outs[i].String()
	}
	return text, errors.Join(errs...)
}

func run(g cluster.Group, out, notes io.Writer, args []string) error {
	command := verb.Root()
	command.SetOut(out)
	command.SetErr(notes)
	verb.SetGroup(command, g)
	return verb.Execute(command, args)
}

// JSON executes a command line that must succeed and print nothing but JSON to the standard output, and decodes that.
func JSON[T any](t *testing.T, args ...string) (result T) {
	t.Helper()
	var out bytes.Buffer
	require.NoError(t, run(cluster.Single{}, verb.Plain(&out), io.Discard, args))
	if err := json.Unmarshal(out.Bytes(), &result); err != nil {
		t.Fatalf("%v in %s", err, out.Bytes())
	}
	return result
}

// Prints executes a command line, and ends the test unless it succeeds and prints want.
func Prints(t *testing.T, want string, args ...string) {
	t.Helper()
	if printed, err := Run(args...); err != nil || !strings.Contains(printed, want) {
		t.Fatalf("%q: error %v, want %q in\n%s", args, err, want, printed)
	}
}

// Fails executes a command line, and fails the test unless it ends with an error that says want.
func Fails(t *testing.T, want string, args ...string) {
	t.Helper()
	if _, err := Run(args...); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("%q: error %v, want one that says %q", args, err, want)
	}
}

// Weights writes random weights of a tiny network (widths 4, 6, 8, 10; 32 pixels) into a new folder.
// The function change may modify them.
func Weights(t *testing.T, change func(*weights.File)) string {
	t.Helper()
	f := networktest.ResNet12([]int{4, 6, 8, 10}, 32, 1)
	if change != nil {
		change(f)
	}
	var out bytes.Buffer
	require.NoError(t, f.Encode(&out, weights.F32))
	path := filepath.Join(t.TempDir(), "in.safetensors")
	WriteText(t, path, out.String())
	return path
}

// Decode reads a safetensors file.
func Decode(t *testing.T, path string) *weights.File {
	t.Helper()
	return require.Value(weights.Decode(filepath.Base(path), []byte(ReadText(t, path))))(t)
}

// WriteNPY writes an array of float32.
func WriteNPY(t *testing.T, path string, x *tensor.Tensor) {
	t.Helper()
	array := require.Value(arrays.Dense(x))(t)
	file := require.Value(os.Create(path))(t)
	defer file.Close()
	require.NoError(t, arrays.WriteNPY(file, array))
}

// WriteText writes a file, and the folders above it.
func WriteText(t *testing.T, path, text string) {
	t.Helper()
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(t, os.WriteFile(path, []byte(text), 0o666))
}

// ReadText reads a file.
func ReadText(t *testing.T, path string) string {
	t.Helper()
	return string(require.Value(os.ReadFile(path))(t))
}

// Log reads the log of a run's folder.
func Log(t *testing.T, dir string) (records []training.Record) {
	t.Helper()
	for line := range strings.Lines(ReadText(t, filepath.Join(dir, training.LogFile))) {
		var r training.Record
		require.NoError(t, json.Unmarshal([]byte(line), &r))
		records = append(records, r)
	}
	return records
}
