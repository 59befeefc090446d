// Package cmdtest runs the command in tests and makes what it works on: pictures,
// recordings, networks, arrays.
package cmdtest

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/internal/resnettest"
	"github.com/deepemd/deepemd/internal/tensor"
	"github.com/deepemd/deepemd/tools/deepemd/internal/verb"
	"github.com/deepemd/deepemd/trainer/format/arrays"
)

// Run executes a command line, of the verbs whose packages the test links, and
// returns what it printed to both outputs.
func Run(args ...string) (string, error) {
	var out bytes.Buffer
	command := verb.Root()
	command.SetOut(&out)
	command.SetErr(&out)
	err := verb.Execute(command, args)
	return out.String(), err
}

// Weights puts a file of random weights of a tiny network (widths 4, 6, 8, 10, 32
// pixels), changed by change, into a new folder.
func Weights(t *testing.T, change func(*weights.File)) string {
	t.Helper()
	f := resnettest.Weights([]int{4, 6, 8, 10}, 32, 1)
	if change != nil {
		change(f)
	}
	var out bytes.Buffer
	if err := f.Encode(&out, weights.F32); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "in.safetensors")
	WriteText(t, path, out.String())
	return path
}

// Decode reads a safetensors file.
func Decode(t *testing.T, path string) *weights.File {
	t.Helper()
	f, err := weights.Decode(filepath.Base(path), []byte(ReadText(t, path)))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// ReadNPY reads an array of float32.
func ReadNPY(t *testing.T, path string) *tensor.Tensor {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	array, err := arrays.ReadNPY(file)
	if err != nil {
		t.Fatal(err)
	}
	values, err := arrays.Tensor(array)
	if err != nil {
		t.Fatal(err)
	}
	return values
}

// WriteNPY writes an array of float32.
func WriteNPY(t *testing.T, path string, x *tensor.Tensor) {
	t.Helper()
	array, err := arrays.Dense(x)
	if err != nil {
		t.Fatal(err)
	}
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if err := arrays.WriteNPY(file, array); err != nil {
		t.Fatal(err)
	}
}

// WriteText writes a file, and the folders above it.
func WriteText(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// ReadText reads a file.
func ReadText(t *testing.T, path string) string {
	t.Helper()
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}
