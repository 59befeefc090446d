package kernel

import "context"

// The threshold above which a sound counts, in dBFS, and how far it can be moved.
const (
	DefaultThreshold = -42.
	LowestThreshold  = -80
	HighestThreshold = -10
)

// Recorder is implemented by Cameras that make takes of what happens while the capture
// button is held: microphones.
type Recorder interface {
	// Record calls taken with each take until the context is done, and returns then, or
	// with the error that ended it. What is going on at the end is a last take.
	Record(ctx context.Context, taken func(Source)) error
	// Threshold is how loud a sound must be to count, in dBFS.
	Threshold() float64
	// SetThreshold changes it, and remembers it for the next visit.
	SetThreshold(level float64)
}

// Threshold is how loud a sound must be to count, in dBFS.
func (c *Camera) Threshold() float64 {
	cameras, _ := c.running()
	if recorder, ok := cameras.(Recorder); ok {
		return recorder.Threshold()
	}
	return DefaultThreshold
}

// SetThreshold changes it, and remembers it for the next visit.
func (c *Camera) SetThreshold(level float64) {
	cameras, _ := c.running()
	if recorder, ok := cameras.(Recorder); ok {
		recorder.SetThreshold(level)
	}
}
