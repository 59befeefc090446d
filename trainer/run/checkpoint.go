// Package run keeps what a training run leaves on disk: checkpoints that it can
// be continued from, a log of its figures, and their curves.
package run

import (
	"fmt"
	"io"
	"os"
	"strconv"

	"deepemd/core/tensor"
	"deepemd/core/weights"
	"deepemd/trainer/artifact"
	"deepemd/trainer/layer"
)

// State is everything that a run needs to go on as if it had not stopped: slices
// of float32 by name, and whole numbers by name. The slices are the trainer's
// own; loading writes into them.
type State struct {
	slices  []slice
	numbers map[string]*int
}

type slice struct {
	name   string
	values []float32
}

// NewState returns a state of nothing.
func NewState() *State { return &State{numbers: map[string]*int{}} }

// Slice adds values under a name.
func (s *State) Slice(name string, values []float32) {
	s.slices = append(s.slices, slice{name, values})
}

// Number adds a whole number under a name.
func (s *State) Number(name string, value *int) { s.numbers[name] = value }

// Params adds the values of parameters, and further values for each of them
// (momentum, averages) under names that end in a suffix.
func (s *State) Params(params []*layer.Param, further map[string][][]float32) {
	for i, p := range params {
		s.Slice(p.Name, p.Value)
		for suffix, values := range further {
			s.Slice(p.Name+suffix, values[i])
		}
	}
}

// checkpointArch marks a file as a checkpoint, which is no network to run.
const checkpointArch = "checkpoint"

// Save writes the state to a file, whole or not at all.
func (s *State) Save(path string) error {
	f := &weights.File{
		Source:  path,
		Meta:    weights.Meta{Arch: checkpointArch, Name: "checkpoint", Extra: map[string]string{}},
		Tensors: map[string]*tensor.Tensor{},
	}
	for _, x := range s.slices {
		f.Tensors[x.name] = tensor.Of(x.values, len(x.values))
	}
	for name, value := range s.numbers {
		f.Meta.Extra[name] = strconv.Itoa(*value)
	}
	return artifact.Write(path, func(w io.Writer) error { return f.Encode(w, weights.F32) })
}

// Load reads a state that Save wrote into the slices and numbers of s.
//
// # Errors
//
// A file that is no checkpoint, or one of other settings: something absent or of
// another length. Nothing is changed then.
func (s *State) Load(path string) error {
	raw, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	f, err := weights.Decode(path, raw)
	if err != nil {
		return err
	}
	if f.Meta.Arch != checkpointArch {
		return fmt.Errorf("%s: a network (%s), not a checkpoint: it can be trained further with --init", path, f.Meta.Arch)
	}
	loaded := make([]*tensor.Tensor, len(s.slices))
	for i, x := range s.slices {
		if loaded[i], err = f.Tensor(x.name, len(x.values)); err != nil {
			return fmt.Errorf("%w: the checkpoint belongs to a run of other settings", err)
		}
	}
	numbers := map[string]int{}
	for name := range s.numbers {
		if numbers[name], err = strconv.Atoi(f.Meta.Extra[name]); err != nil {
			return fmt.Errorf("%s: %s is %q, want a whole number: the checkpoint belongs to another version", path, name, f.Meta.Extra[name])
		}
	}
	for i, x := range s.slices {
		copy(x.values, loaded[i].Data)
	}
	for name, value := range numbers {
		*s.numbers[name] = value
	}
	return nil
}
