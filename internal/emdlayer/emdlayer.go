// Package emdlayer computes the score of package match with its gradient, for training: cosine
// costs between centered nodes, cross-reference weights, the optimal flow of a differentiable
// transport layer, and the collected similarity (DeepEMD, sections 3.2 to 3.4). It computes in
// float64 and keeps the inputs of the derivative.
//
// Package match defines formulas and constants, package solver the transport layers, and
// trainer/internal/learn episodes and losses.
package emdlayer

import (
	"fmt"
	"math"
	"slices"

	"github.com/deepemd/deepemd/core/match"
	"github.com/deepemd/deepemd/core/method"
	"github.com/deepemd/deepemd/solver"
)

// Score computes the score of one pair of node sets. It keeps the state of the last Forward for
// Backward and is not safe for concurrent use.
type Score struct {
	Layer solver.Layer

	query, support nodeSet
	problem        solver.Problem
	similarity     []float64 // [N, M]
	flow           []float64
	upstream       []float64
	gradient       solver.Gradient
}

// nodeSet is a set of nodes with derived values.
type nodeSet struct {
	nodes   []float32 // [n, c], owned by the caller
	n, c    int
	unit    []float64 // [n, c], centered and normalized
	length  []float64 // [n] of the centered nodes
	mean    []float64 // [c] of the nodes before centering
	product []float64 // [n] with the mean of the other side
	weights []float64 // [n], normalized
	scale   float64   // of the weights, see match.Normalize
	dunit   []float64 // [n, c]
	dmean   []float64 // [c]
}

// Forward returns the logit of a query [n, c] for a support set [m, c]: T/n·Σ s_ij·x_ij, where T
// is method.Temperature, s are the cosine similarities, and x is the optimal flow for costs 1−s.
//
// # Errors
//
// Shapes that do not match, match.ErrNotFinite for weights that overflow, and the errors of the
// layer.
func (s *Score) Forward(query, support []float32, n, m, c int) (float64, error) {
	if n < 1 || m < 1 || c < 1 || len(query) != n*c || len(support) != m*c {
		return 0, fmt.Errorf("emdlayer: %d and %d values for %d and %d nodes of %d channels", len(query), len(support), n, m, c)
	}
	s.query.load(query, n, c)
	s.support.load(support, m, c)
	// The weights of both sides sum to the query's number of nodes.
	if !s.query.weigh(&s.support, float64(n)) || !s.support.weigh(&s.query, float64(n)) {
		return 0, fmt.Errorf("emdlayer: weights overflow: %w: training diverges, lower the learning rate", match.ErrNotFinite)
	}
	s.similarity = slices.Grow(s.similarity[:0], n*m)[:n*m]
	s.problem.Cost = slices.Grow(s.problem.Cost[:0], n*m)[:n*m]
	for i := range n {
		u := s.query.unit[i*c:][:c]
		for j := range m {
			v := dot(u, s.support.unit[j*c:][:c])
			s.similarity[i*m+j], s.problem.Cost[i*m+j] = v, 1-v
		}
	}
	s.problem.Rows, s.problem.Cols = n, m
	s.problem.Supply, s.problem.Demand = s.query.weights, s.support.weights
	var err error
	if s.flow, err = s.Layer.Forward(&s.problem); err != nil {
		return 0, err
	}
	return s.scale() * dot(s.similarity, s.flow), nil
}

func (s *Score) scale() float64 {
	return method.Temperature / float64(s.query.n)
}

// Backward adds to dquery and dsupport the gradients of a loss with the gradient dlogit with
// respect to the last Forward's logit.
func (s *Score) Backward(dquery, dsupport []float32, dlogit float64) error {
	n, m, c := s.query.n, s.support.n, s.query.c
	if len(dquery) != n*c || len(dsupport) != m*c || n == 0 {
		return fmt.Errorf("emdlayer: gradients of %d and %d values for %d and %d nodes of %d channels", len(dquery), len(dsupport), n, m, c)
	}
	scale := dlogit * s.scale()
	s.upstream = slices.Grow(s.upstream[:0], n*m)[:n*m]
	for e, v := range s.similarity {
		s.upstream[e] = scale * v
	}
	if err := s.Layer.Backward(&s.gradient, s.upstream); err != nil {
		return err
	}
	s.query.clearGradients()
	s.support.clearGradients()
	for i := range n {
		u, du := s.query.unit[i*c:][:c], s.query.dunit[i*c:][:c]
		for j := range m {
			e := i*m + j
			g := scale*s.flow[e] - s.gradient.Cost[e]
			v, dv := s.support.unit[j*c:][:c], s.support.dunit[j*c:][:c]
			for ch, x := range v {
				du[ch] += g * x
				dv[ch] += g * u[ch]
			}
		}
	}
	s.query.unweigh(dquery, &s.support, s.gradient.Supply, float64(n))
	s.support.unweigh(dsupport, &s.query, s.gradient.Demand, float64(n))
	s.query.unload(dquery)
	s.support.unload(dsupport)
	return nil
}

// load centers the nodes and computes their mean.
func (d *nodeSet) load(nodes []float32, n, c int) {
	d.nodes, d.n, d.c = nodes, n, c
	d.unit, d.length, d.mean = slices.Grow(d.unit[:0], n*c)[:n*c], slices.Grow(d.length[:0], n)[:n], slices.Grow(d.mean[:0], c)[:c]
	clear(d.mean)
	for i := range n {
		node, unit := nodes[i*c:][:c], d.unit[i*c:][:c]
		center := 0.0
		for ch, v := range node {
			center += float64(v)
			d.mean[ch] += float64(v) / float64(n)
		}
		center /= float64(c)
		square := 0.0
		for ch, v := range node {
			unit[ch] = float64(v) - center
			square += unit[ch] * unit[ch]
		}
		d.length[i] = max(math.Sqrt(square), match.MinNorm)
		for ch := range unit {
			unit[ch] /= d.length[i]
		}
	}
}

// unload adds the gradient of the nodes from the gradients of the unit vectors and of the mean.
func (d *nodeSet) unload(dst []float32) {
	for i := range d.n {
		unit, g := d.unit[i*d.c:][:d.c], d.dunit[i*d.c:][:d.c]
		along, center := dot(unit, g), 0.0
		for ch := range g {
			g[ch] = (g[ch] - along*unit[ch]) / d.length[i]
			center += g[ch]
		}
		center /= float64(d.c)
		for ch, v := range g {
			dst[i*d.c+ch] += float32(v - center + d.dmean[ch]/float64(d.n))
		}
	}
}

// weigh computes the cross-reference weights of a set with respect to another, normalized to the
// given sum (match.CrossReference). It reports whether they are finite.
func (d *nodeSet) weigh(other *nodeSet, sum float64) (ok bool) {
	d.product, d.weights = slices.Grow(d.product[:0], d.n)[:d.n], slices.Grow(d.weights[:0], d.n)[:d.n]
	for i := range d.n {
		p := 0.0
		for ch, v := range d.nodes[i*d.c:][:d.c] {
			p += float64(v) * other.mean[ch]
		}
		d.product[i] = p
		d.weights[i] = match.CrossReference{}.OfProduct(p)
	}
	d.scale, ok = match.Normalize(d.weights, sum)
	return ok
}

// unweigh propagates the gradient of the normalized weights: it adds the nodes' gradient to dst, and the
// gradient of the other side's mean. The gradient g of the weights w, with their sum, becomes that of the
// weights before match.Normalize:
//
//	g_i ← (g_i − Σ_k g_k·w_k/sum) · scale
func (d *nodeSet) unweigh(dst []float32, other *nodeSet, gradient []float64, sum float64) {
	var along float64
	for i, g := range gradient {
		along += g * d.weights[i] / sum
	}
	for i, g := range gradient {
		if d.product[i] <= 0 {
			continue
		}
		g = (g - along) * d.scale
		for ch, v := range d.nodes[i*d.c:][:d.c] {
			dst[i*d.c+ch] += float32(g * other.mean[ch])
			other.dmean[ch] += g * float64(v)
		}
	}
}

func (d *nodeSet) clearGradients() {
	d.dunit, d.dmean = slices.Grow(d.dunit[:0], d.n*d.c)[:d.n*d.c], slices.Grow(d.dmean[:0], d.c)[:d.c]
	clear(d.dunit)
	clear(d.dmean)
}

func dot(a, b []float64) float64 {
	sum := 0.0
	for i, v := range a {
		sum += v * b[i]
	}
	return sum
}
