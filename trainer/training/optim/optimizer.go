package optim

// Optimizer changes weights by their gradients.
type Optimizer interface {
	// Step changes all weights by their gradients times scale (for clipping) at a learning
	// rate.
	Step(rate, scale float64)
	// Memory is what the optimizer remembers, one slice a parameter, by a suffix of its
	// name, for checkpoints.
	Memory() map[string][][]float32
	// Resume restores the number of steps, which with the memory is all that later steps
	// depend on.
	Resume(steps int)
}
