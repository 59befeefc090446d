package training

import (
	"errors"
	"fmt"

	"github.com/deepemd/deepemd/internal/cluster"
	"github.com/deepemd/deepemd/trainer/internal/device"
)

// resident returns the keeper of the backbone's weights in a device's own memory, or nil.
func (t *Trainer) resident() device.Resident { return t.Learner.Backbone().Device().Resident() }

// bind makes a device with its own memory keep the momentum and averages of its weights too. It
// returns an error for several ranks, which share the host's gradients.
func (t *Trainer) bind(params []*device.Param) error {
	r := t.resident()
	if r == nil {
		return nil
	}
	if n := cluster.Or(t.Group).Size(); n > 1 {
		return fmt.Errorf("%s trains in one process, not in %d ranks: use the processor, or one rank", t.Learner.Backbone().Device().Name(), n)
	}
	t.optimizer.Resident = r
	velocity, averages := byParam(params, t.optimizer.Velocity), map[*device.Param][]float32(nil)
	if t.average != nil {
		t.average.Resident, averages = r, byParam(params, t.average.Values)
	}
	r.Bind(velocity, averages)
	return nil
}

func byParam(params []*device.Param, values [][]float32) map[*device.Param][]float32 {
	of := map[*device.Param][]float32{}
	for i, p := range params {
		of[p] = values[i]
	}
	return of
}

// pull copies a device's memory to the host, before weights, statistics, momentum or averages are
// read.
func (t *Trainer) pull() error {
	if r := t.resident(); r != nil {
		return r.Pull()
	}
	return nil
}

// push copies them back, after they were changed.
func (t *Trainer) push() error {
	if r := t.resident(); r != nil {
		return r.Push()
	}
	return nil
}

// explainMemory adds the number of images that fit to an error about too little memory for images
// of a shape.
func (t *Trainer) explainMemory(err error, images []int) error {
	if !errors.Is(err, device.ErrMemory) {
		return err
	}
	if n := t.Learner.Backbone().Fitting(images[0], images[1]); n > 0 {
		return fmt.Errorf("%w; %d images of %d pixels at once do not fit, %d do: lower batch, or at_once", err, images[0], images[1], n)
	}
	return fmt.Errorf("%w; not even two images of %d pixels fit: use narrower widths or smaller images", err, images[1])
}
