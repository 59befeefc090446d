// Package optim changes weights by their gradients: stochastic gradient descent,
// schedules of its learning rate, gradient clipping and weight averaging. A [Param] is
// what a layer lets it change; the gradients are the layers' work.
package backbone
