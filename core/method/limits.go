package method

// Limits of what is taught, in learners and in project files: above what a device can hold,
// and low enough that a hostile file cannot ask for absurd memory.
const (
	MaxNodes    = 1 << 12 // local embeddings of a picture
	MaxChannels = 1 << 13
	MaxText     = 1000 // bytes of a name or an id
)
