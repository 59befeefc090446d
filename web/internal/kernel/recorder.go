package kernel

import "context"

// The default threshold for sounds, and its limits, in dBFS.
const (
	DefaultThreshold = -42.
	LowestThreshold  = -80
	HighestThreshold = -10
)

// Recorder is implemented by Cameras that record takes while the capture button is held:
// microphones.
type Recorder interface {
	// Record calls taken with each take until the context is done or an error occurs. A sound in
	// progress at the end is the last take.
	Record(ctx context.Context, taken func(Source)) error
	// Threshold returns the minimum level of a take, in dBFS.
	Threshold() float64
	// SetThreshold sets the threshold, also for the next visit.
	SetThreshold(level float64)
}

// Threshold returns the minimum level of a take, in dBFS.
func (c *Camera) Threshold() float64 {
	cameras, _ := c.running()
	if recorder, ok := cameras.(Recorder); ok {
		return recorder.Threshold()
	}
	return DefaultThreshold
}

// SetThreshold sets the threshold, also for the next visit.
func (c *Camera) SetThreshold(level float64) {
	cameras, _ := c.running()
	if recorder, ok := cameras.(Recorder); ok {
		recorder.SetThreshold(level)
	}
}
