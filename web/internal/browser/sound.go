package browser

// The ids of the elements that show what a microphone hears.
const (
	HeardID = "heard" // a canvas
	LevelID = "level" // the meter
)
