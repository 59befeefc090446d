package method

// Limits of the examples in learners and project files: more than a device can hold, and
// low enough to bound the memory that a hostile file can request.
const (
	MaxNodes    = 1 << 12 // local embeddings of a picture
	MaxChannels = 1 << 13
	MaxText     = 1000 // bytes of a name or an id
)
