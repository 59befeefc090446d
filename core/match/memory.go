package match

import "github.com/deepemd/deepemd/solver"

// Memory keeps which nodes matched, for a later match of similar sets, such as the
// same picture and a prototype that has learned a little. Mostly the same nodes match
// again, so that the solver has little left to do. The score does not depend on it.
//
// The zero value remembers nothing.
type Memory struct{ basis solver.Basis }
