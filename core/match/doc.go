// Package match compares two pictures by optimal matching: the Earth Mover's
// Distance between their sets of local embeddings (Zhang, Cai, Lin, Shen:
// "DeepEMD", section 3).
//
// A Weighting says how much each node has to send or to receive, the cost of
// sending is one minus the cosine of the centred nodes, the transportation
// simplex finds the cheapest flow, and the score is the similarity that the
// flow collects. A Prepared set holds what depends on one picture only, so that
// matching a query with many supports computes it once.
package match
