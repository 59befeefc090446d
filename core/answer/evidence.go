package answer

// Evidence writes what each node of From adds to the score into dst, [From.N()], which
// grows if it is too short, and returns it: the sum of the scores of its links, below 0
// where it is matched with what it does not look like. The values sum to Score.
func (e *Explanation) Evidence(dst []float64) []float64 {
	dst = dst[:0]
	n := e.To.N()
	for i := range e.From.N() {
		sum := 0.0
		for j, x := range e.Flow[i*n:][:n] {
			sum += x * e.Similarity[i*n+j]
		}
		dst = append(dst, sum*e.Temperature/e.Total)
	}
	return dst
}
