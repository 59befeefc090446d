package match

// The derivative of a score by the support's nodes, for classifiers that learn
// them. The flow counts as constant, as in the reference where its solver has no
// derivative: the score is then linear in the similarities.

// Backward adds to dst, [Ns, C], the gradient of a match's score by the support's
// unit nodes, times scale: T/Nq·Σ_i x_ij·û_i for node j. The flow is that match's.
func (m *Matcher) Backward(dst []float32, query, support *Prepared, flow []float64, scale float64) {
	nq, ns, c := query.N(), support.N(), support.C()
	scale *= m.temperature() / float64(nq)
	for i := range nq {
		unit := query.unit(i)
		for j, x := range flow[i*ns:][:ns] {
			if x != 0 {
				axpy(dst[j*c:][:c], float32(scale*x), unit)
			}
		}
	}
}

// Backward turns a gradient by p's unit nodes, [N, C], into the gradient by its raw
// nodes, in place: û = (u − mean u)/‖u − mean u‖ gives
//
//	g ← (g − (g·û)·û)/‖u − mean u‖,  then  g ← g − mean g.
//
// A node without variation over its channels is similar to nothing and has the
// gradient zero. p must not be Raw.
func (p *Prepared) Backward(gradient []float32) {
	c := p.C()
	for i, norm := range p.norms {
		g, unit := gradient[i*c:][:c], p.unit(i)
		if norm <= MinNorm {
			clear(g)
			continue
		}
		axpy(g, -dot(g, unit), unit)
		standardise(g, g, sum(g)/float64(c), 1/norm)
	}
}
