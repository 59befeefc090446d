package learn

import (
	"slices"

	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/internal/kernel"
	"github.com/deepemd/deepemd/internal/tensor"
	"github.com/deepemd/deepemd/trainer/internal/backbone"
	"github.com/deepemd/deepemd/trainer/internal/device"
)

// encoder computes the nodes of the backbone's maps. It processes all images of an episode at once
// or, if the statistics of batch normalization are frozen, in parts. In parts it keeps nothing for
// the backward pass, computes the maps again there, and adds the gradients.
type encoder struct {
	nodes  nodes
	atOnce int // inputs per pass; 0 for all

	h, w, channels int // of the maps
	gradient       []float32

	passes // of the parts and episodes
}

// passes sums the gradients of several backward passes of a backbone.
type passes struct {
	backbone *backbone.Network

	sums    map[*device.Param][]float32     // gradients of the previous passes
	several bool                            // whether passes came before
	more    bool                            // whether passes follow
	done    func(finished ...*device.Param) // receives weights with complete gradients; may be nil
}

// Backbone returns the trained network.
func (s *passes) Backbone() *backbone.Network { return s.backbone }

// OnGradients implements [Learner].
func (s *passes) OnGradients(done func(finished ...*device.Param)) { s.done = done }

// backward is a backward pass of the backbone. A device with its own memory adds the gradients that it
// keeps itself.
func (s *passes) backward(features []float32) {
	s.backbone.Device().Accumulate(s.several)
	s.backbone.Backward(features)
}

// finished receives the gradients of a backward pass. In the last pass, it replaces them by their
// sums and announces them. Weights may take part in the last pass only.
func (s *passes) finished(params ...*device.Param) {
	if s.sums == nil {
		s.sums = map[*device.Param][]float32{}
	}
	for _, p := range params {
		sum := s.sums[p]
		switch {
		case device.Holds(s.backbone.Device().Resident(), p):
		case s.more && !s.several:
			s.sums[p] = append(sum[:0], p.Grad...)
		case s.more:
			kernel.AddTimes(sum, 1, p.Grad)
		case s.several:
			kernel.AddTimes(p.Grad[:len(sum)], 1, sum) // without a sum, it took part in no other pass
		}
	}
	if !s.more && s.done != nil {
		s.done(params...)
	}
}

// part returns the number of images per pass: a divisor of all, so that every part has the same shape.
func (e *encoder) part(pictures int) int {
	if e.atOnce == 0 || pictures*e.nodes.Inputs() <= e.atOnce {
		return pictures
	}
	n := max(1, e.atOnce/e.nodes.Inputs())
	for pictures%n != 0 {
		n--
	}
	return n
}

// forward computes the nodes of a batch [images·inputs, S, S, 3]. It returns them,
// [images][count·channels], in the memory of dst if it suffices, with the number of nodes per
// image.
func (e *encoder) forward(dst []float32, batch *tensor.Tensor) (features []float32, count int) {
	inputs := e.nodes.Inputs()
	pictures := batch.Shape[0] / inputs
	part := e.part(pictures)
	for first := 0; first < pictures; first += part {
		m := e.pass(batch, first, part)
		e.h, e.w, e.channels = m.Shape[1], m.Shape[2], m.Shape[3]
		count = e.nodes.Nodes(e.h, e.w)
		size := count * e.channels
		if first == 0 {
			dst = slices.Grow(dst[:0], pictures*size)[:pictures*size]
		}
		for i := range part {
			e.nodes.Forward(dst[(first+i)*size:][:size], e.rows(m.Data, i), e.h, e.w, e.channels)
		}
	}
	return dst, count
}

// backward sets the gradients of all weights from the gradient of forward's nodes. After the last
// episode, they are the sums since the first one.
func (e *encoder) backward(dnodes []float32, batch *tensor.Tensor, begins, ends bool) {
	inputs := e.nodes.Inputs()
	pictures := batch.Shape[0] / inputs
	part, size := e.part(pictures), len(dnodes)/pictures
	all := part * inputs * e.h * e.w * e.channels
	e.gradient = slices.Grow(e.gradient[:0], all)[:all]
	for first := 0; first < pictures; first += part {
		if part < pictures {
			e.pass(batch, first, part)
		}
		for i := range part {
			e.nodes.Backward(e.rows(e.gradient, i), dnodes[(first+i)*size:][:size], e.h, e.w, e.channels)
		}
		e.several, e.more = first > 0 || !begins, first+part < pictures || !ends
		e.passes.backward(e.gradient)
	}
}

// rows returns the values of the i-th image's maps.
func (e *encoder) rows(maps []float32, i int) []float32 {
	size := e.nodes.Inputs() * e.h * e.w * e.channels
	return maps[i*size:][:size]
}

func (e *encoder) pass(batch *tensor.Tensor, first, part int) *tensor.Tensor {
	s, inputs := batch.Shape, e.nodes.Inputs()
	pixels := s[1] * s[2] * s[3]
	data := batch.Data[first*inputs*pixels:][:part*inputs*pixels]
	return e.backbone.Forward(tensor.Of(data, part*inputs, s[1], s[2], s[3])).Tensor()
}

// nodes converts the feature maps of an image's network inputs to nodes, and gradients back.
type nodes interface {
	// Inputs is the number of maps per image.
	Inputs() int
	// Nodes is the number of nodes of an image whose maps have h×w positions.
	Nodes(h, w int) int
	// Forward writes the nodes [Nodes, c] of the maps [Inputs, h, w, c].
	Forward(dst, maps []float32, h, w, c int)
	// Backward sets the gradient of the maps from the gradient of the nodes.
	Backward(dmaps, dnodes []float32, h, w, c int)
}

func nodesOf(e embed.Embedder) nodes {
	switch e := e.(type) {
	case embed.Grid:
		cells := 0
		for _, n := range e.Levels {
			cells += n * n
		}
		return averages(cells)
	case embed.Sampling:
		return averages(e.Patches)
	case embed.FCN:
		return backbone.Pyramid(e.Pyramid)
	}
	panic("meta: an embedder without a gradient")
}

// averages are the nodes of Grid and Sampling: the mean of each crop's map is a node. The value is
// the number of crops.
type averages int

func (n averages) Inputs() int { return int(n) }

func (n averages) Nodes(int, int) int { return int(n) }

func (n averages) Forward(dst, maps []float32, h, w, c int) {
	for i := range int(n) {
		embed.PoolMap(dst[i*c:], maps[i*h*w*c:], h, w, c, 1)
	}
}

func (n averages) Backward(dmaps, dnodes []float32, h, w, c int) {
	backbone.AveragePoolGradient(dmaps, dnodes, int(n), h, w, c, c)
}
