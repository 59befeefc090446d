// Package methods names everything that few-shot classification can be made of:
// classifiers, node weights and solvers, as people choose them on the command line
// and as tables list them. A new method is one line here.
//
// The core does not know these lists, so that a program that embeds it links only
// what it names itself.
package methods
