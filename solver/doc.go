// Package solver solves optimal transport problems. It knows nothing of images.
//
// Simplex is the exact solver of inference: a network simplex method for the
// complete bipartite graph, which returns the optimal flow and its duals.
//
//	var s solver.Simplex // reuse it: a solved problem leaves no garbage
//	solution, err := s.Solve(&problem)
//
// The differentiable layers of training stand behind one interface, [Layer]:
// [Interior] (interior point and implicit function theorem, the paper's way),
// [Sinkhorn], and [ConstantFlow], which keeps the exact flow constant.
//
// # How it is exact
//
// Weights and costs are first written as integers: each side of the problem is
// multiplied by a power of two, so that the largest weight and the largest cost use
// more than 50 bits, and rounded. From there on everything is integer arithmetic:
// flows, potentials and reduced costs have no rounding, a tie is a tie, the
// optimality test has no tolerance, and the rule against cycling works as in its
// proof. The problem that is solved exactly has costs and weights that differ from
// the given ones by less than 2⁻⁵⁰ of the largest. The objective is then summed in
// float64 from the given costs.
//
// What the rounding of costs can have added to the objective is known: its part on
// the arcs of the flow. Where that is more than [Gap], some costs are so large that
// the others have few bits left. The problem is then solved again: with costs that no
// optimal flow pays, such as those of forbidden pairs, lowered to a bound that none
// reaches, and, if that does not suffice, with further bits of all costs.
//
// # Literature
//
//   - R. K. Ahuja, T. L. Magnanti, J. B. Orlin, Network Flows, 1993, chapter 11:
//     the network simplex method, the tree in parent, depth and thread indices.
//   - W. H. Cunningham, A network simplex method, Mathematical Programming 11,
//     1976, and Theoretical properties of the network simplex method,
//     Mathematics of Operations Research 4, 1979: strongly feasible trees.
//   - F. Glover, D. Karney, D. Klingman, A. Napier, A computation study on start
//     procedures, basis change criteria, and solution algorithms for
//     transportation problems, Management Science 20, 1974: what matters is the
//     start and how the next pivot is chosen.
//   - N. Bonneel, M. van de Panne, S. Paris, W. Heidrich, Displacement
//     interpolation using Lagrangian mass transport, 2011: network simplex as
//     the method of choice for dense transport between point sets.
package solver
