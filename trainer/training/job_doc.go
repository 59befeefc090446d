// Package job puts together what a run of training takes: the pictures and their
// split, the network to begin with, the learner, and what networks will say of
// themselves. [Pretrain] and [Meta] are all that a run depends on, as TOML has it;
// Prepare makes a training.Trainer of them.
package training

import (
	"fmt"
	"io"

	"github.com/deepemd/deepemd/core/weights"

	"github.com/deepemd/deepemd/internal/netfile"
	"github.com/deepemd/deepemd/trainer/evaluate"
)

// Work is how a job shows what it does before the first step. The zero value shows
// nothing.
type Work struct {
	Tell func(line string)
	Show func(what string, work func(evaluate.Progress) error) error // runs work
	// Dir is the run's folder, where what takes long to prepare is kept for the next
	// time; empty for nowhere. It need not exist yet.
	Dir string
}

func (w Work) tell(format string, args ...any) {
	if w.Tell != nil {
		w.Tell(fmt.Sprintf(format, args...))
	}
}

func (w Work) show(what string, work func(evaluate.Progress) error) error {
	if w.Show != nil {
		return w.Show(what, work)
	}
	return work(func(int, int) {})
}

// Ready is a run that is ready to begin. Close it when it has ended.
type Ready struct {
	*Trainer  // whose Dir and Watch are the caller's to set
	io.Closer // of its pictures
}

// begin reads the network that training begins with, and tells where its normalisation
// is a guess.
func (w Work) begin(path string) (*weights.File, error) {
	n, err := netfile.Read(path, path, netfile.Facts{}, true)
	if err != nil {
		return nil, err
	}
	if note := netfile.Note(n.Meta); note != "" {
		w.tell("%s", note)
	}
	return n.Widened(), nil
}
