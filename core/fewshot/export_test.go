package fewshot

// ScoresWithout returns the scores of an example by the layer that Learn has learned from all others.
func (r *RidgeHead) ScoresWithout(class, example int) []float64 {
	return r.without(r.layer.left, class, example)
}
