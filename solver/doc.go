// Package solver solves optimal transport problems.
//
// [Simplex] is the exact solver for inference: a network simplex method for the complete bipartite
// graph. It returns the optimal flow and its duals.
//
//	var s solver.Simplex // reuse it: later problems of the same size allocate nothing
//	solution, err := s.Solve(&problem)
//
// Training uses differentiable layers with the interface [Layer]: [Interior] (interior point and
// implicit function theorem, as in the paper), [Sinkhorn], and [ConstantFlow], which treats the
// exact flow as constant.
//
// # Exact arithmetic
//
// Simplex first converts weights and costs to integers. It multiplies each side of the problem by a
// power of two, so that the largest weight and the largest cost use more than 50 bits, and rounds.
// All further arithmetic is exact: flows, potentials and reduced costs have no rounding errors, the
// optimality test has no tolerance, and the rule against cycling works as in its proof. The rounded
// costs and weights differ from the given ones by less than 2⁻⁵⁰ of the largest. With 128 rows and
// columns together or more, sums need more room: each doubling takes one bit. The objective is summed
// in float64 from the given costs.
//
// The rounding errors of the costs on the arcs of the flow bound the error of the objective. If the
// bound exceeds [Gap], some costs are so large that few bits remain for the others. Simplex then
// solves the problem again: first with costs that no optimal flow pays, such as the costs of
// forbidden pairs, lowered to a bound, and if that does not suffice, with more bits of all costs.
//
// # Literature
//
//   - R. K. Ahuja, T. L. Magnanti, J. B. Orlin, Network Flows, 1993, chapter 11: the network
//     simplex method; the tree in parent, depth and thread indices.
//   - W. H. Cunningham, A network simplex method, Mathematical Programming 11, 1976, and
//     Theoretical properties of the network simplex method, Mathematics of Operations Research 4,
//     1979: strongly feasible trees.
//   - F. Glover, D. Karney, D. Klingman, A. Napier, A computation study on start procedures, basis
//     change criteria, and solution algorithms for transportation problems, Management Science 20,
//     1974: starts and pricing.
//   - N. Bonneel, M. van de Panne, S. Paris, W. Heidrich, Displacement interpolation using
//     Lagrangian mass transport, 2011: network simplex for dense transport between point sets.
package solver
