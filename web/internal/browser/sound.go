package browser

// The ids of the elements that show what a microphone hears.
const (
	HeardID = "heard" // a canvas
	LevelID = "level" // the meter
)

// The threshold above which a sound counts, in dBFS, and how far it can be moved.
const (
	DefaultThreshold = -42.
	LowestThreshold  = -80
	HighestThreshold = -10
)
