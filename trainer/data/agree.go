package data

import (
	"errors"
	"fmt"

	"github.com/deepemd/deepemd/internal/cluster"
)

// trouble is an error on its way to other ranks.
type trouble struct {
	Failed            bool
	Text              string
	Set, Name, Reason string // of a *Damaged
}

// Agree returns the error of the first rank that has one, on all ranks of a group, which all
// call it: so that they go on, or stop, together. The error of another rank names it, and a
// *[Damaged] picture stays one.
func Agree(g cluster.Group, err error) error {
	if g.Size() == 1 {
		return err
	}
	var mine trouble
	var damaged *Damaged
	switch {
	case errors.As(err, &damaged):
		mine = trouble{Failed: true, Set: damaged.Set, Name: damaged.Name, Reason: damaged.Err.Error()}
	case err != nil:
		mine = trouble{Failed: true, Text: err.Error()}
	}
	all, lost := cluster.All(g, mine)
	if lost != nil {
		return errors.Join(err, lost)
	}
	for rank, its := range all {
		switch {
		case !its.Failed:
		case rank == g.Rank():
			return err
		case its.Name != "":
			return fmt.Errorf("rank %d: %w", rank, &Damaged{Set: its.Set, Name: its.Name, Err: errors.New(its.Reason)})
		default:
			return fmt.Errorf("rank %d: %s", rank, its.Text)
		}
	}
	return nil
}
