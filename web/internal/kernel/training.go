package kernel

// Gain says how learning did on examples that it did not see.
type Gain struct {
	Of, Before, After int // so many of them were right
	Known             bool
}
