package evaluate

import (
	"fmt"
	"slices"
)

// Metrics say how well one query, or on average many, found its class.
type Metrics struct {
	// Recall, of every k asked for, is 1 where one of the first k pictures is of
	// the query's class. At 1 it is the precision at 1.
	Recall []float64
	// RPrecision is the share of right ones among the first R, where R is the number
	// of pictures of the class, the query left out.
	RPrecision float64
	// MAPR is the mean average precision at R: 1/R · Σ_{i≤R} P(i), where P(i) is the
	// share of right ones among the first i if the i-th is right, else 0. It is 1
	// where the first R are all right, and counts early mistakes more.
	MAPR float64
}

// Measure returns the metrics of a ranking: relevant says of its first places, the
// best first, whether they are of the query's class, of which there are total in
// all. There are as many places as total and the largest k, or all.
//
// It panics when there is nothing to find, or places are missing.
func Measure(relevant []bool, total int, ks []int) Metrics {
	if total < 1 || len(relevant) < total {
		panic(fmt.Sprintf("retrieval: %d places to find %d in", len(relevant), total))
	}
	m := Metrics{Recall: make([]float64, len(ks))}
	first := slices.Index(relevant, true)
	for i, k := range ks {
		if first >= 0 && first < k {
			m.Recall[i] = 1
		}
	}
	right := 0
	for i, r := range relevant[:total] {
		if r {
			right++
			m.MAPR += float64(right) / float64(i+1)
		}
	}
	m.RPrecision = float64(right) / float64(total)
	m.MAPR /= float64(total)
	return m
}

// add adds the metrics of a query to those of others.
func (m *Metrics) add(o Metrics) {
	for i, r := range o.Recall {
		m.Recall[i] += r
	}
	m.RPrecision += o.RPrecision
	m.MAPR += o.MAPR
}

// share divides sums by the number of queries.
func (m *Metrics) share(queries int) {
	n := float64(queries)
	for i := range m.Recall {
		m.Recall[i] /= n
	}
	m.RPrecision /= n
	m.MAPR /= n
}
