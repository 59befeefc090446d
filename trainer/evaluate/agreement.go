package evaluate

import "slices"

// Agreement is the share of queries that two results of the same episodes name the same
// class for, right or wrong.
func Agreement(a, b *Result) float64 {
	same, queries := 0, 0
	for i := range a.Logits {
		for at := 0; at < len(a.Logits[i]); at += a.Way {
			first, second := a.Logits[i][at:at+a.Way], b.Logits[i][at:at+a.Way]
			if slices.Index(first, slices.Max(first)) == slices.Index(second, slices.Max(second)) {
				same++
			}
			queries++
		}
	}
	return float64(same) / float64(queries)
}
