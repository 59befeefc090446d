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
	// Record calls taken with each take until the context is done. A sound in progress at the end is
	// the last take.
	Record(ctx context.Context, taken func(Source))
	// Threshold returns the minimum level of a take, in dBFS.
	Threshold() float64
	// SetThreshold sets the threshold, also for the next visit.
	SetThreshold(level float64)
}

// Recorder returns the microphone, or nil for a camera.
func (c *Camera) Recorder() Recorder {
	recorder, _ := Get(&c.Part, &c.cameras).(Recorder)
	return recorder
}
