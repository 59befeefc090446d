package training

import (
	"context"
	"errors"

	"github.com/deepemd/deepemd/trainer/data"
)

// agree has all ranks take the next step, or none: it saves and returns an error when one of
// them is told to stop, or has no batch because of err. It also tells of pictures that were
// passed over.
func (t *Trainer) agree(ctx context.Context, err error, epoch float64) error {
	if ctx.Err() != nil { // what a cancelled source returns is no trouble of its own
		err = nil
	}
	flags := make([]float64, 3)
	for i, set := range []bool{ctx.Err() != nil, err != nil, t.Pictures != nil && t.Pictures.AnySkipped()} {
		if set {
			flags[i] = 1
		}
	}
	if err := t.ranks.group.SumFloat64(flags); err != nil {
		return err
	}
	stopped, failed := flags[0] > 0, flags[1] > 0
	if flags[2] > 0 && !stopped && !failed {
		if err := t.tellSkipped(epoch); err != nil {
			return err
		}
	}
	if !stopped && !failed {
		return nil
	}
	if failed {
		err = data.Agree(t.ranks.group, err)
	}
	if stopped {
		err = errors.Join(context.Canceled, err)
	}
	if collected := t.ranks.collect(); collected != nil {
		return errors.Join(err, collected)
	}
	// All wait for rank 0: a rank that ends earlier would end it, too.
	return errors.Join(err, t.save(), t.ranks.group.Barrier())
}
