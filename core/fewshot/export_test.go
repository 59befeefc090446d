package fewshot

// ScoresWithout returns the scores of an example by the layer that Learn has learned from all others.
func (r *RidgeHead) ScoresWithout(class, example int) []float64 {
	return r.without(r.layer.left, class, example)
}

// LeftOut returns the number of examples of each class that the calibration leaves out.
func (m *Mixture) LeftOut() ([]int, error) {
	left, err := m.leaveOut(m.head.parts(), new(pacer))
	counts := make([]int, len(m.names))
	for _, l := range left {
		counts[l.class]++
	}
	return counts, err
}
