package match

import "github.com/deepemd/deepemd/solver"

// Memory is what a match leaves for a later one of similar sets, such as the same
// picture and a prototype that has learned a little: which nodes matched. Mostly
// the same ones will again, so that the solver has little left to do. The score is
// the same as without.
//
// The zero value remembers nothing.
type Memory struct{ basis solver.Basis }
