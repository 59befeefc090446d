package vit

import (
	"math/rand/v2"
	"slices"

	"github.com/deepemd/deepemd/core/nn"
	"github.com/deepemd/deepemd/core/tensor"
	"github.com/deepemd/deepemd/trainer/training/internal/layer"
	"github.com/deepemd/deepemd/trainer/training/optim"
)

// embedding makes tokens of pictures: one of each patch and its position, behind the class
// token and the registers.
type embedding struct {
	plan                     Plan
	patches                  *layer.Linear // its weight is [C, 3, patch, patch] in files
	class, registers, places optim.Param   // [C], [n, C] and [1 + side², C], the class token's first
	resampling               resampling

	h, w              int       // patches of the last pictures
	unfolded, proj    []float32 // [n·h·w, patch²·3 padded], and behind the layer
	resampled, dplace []float32 // embeddings of h·w places, and their gradient
}

func newEmbedding(p Plan, r *rand.Rand) *embedding {
	c, side := p.Channels, p.Patch
	e := &embedding{plan: p, resampling: resampling{way: p.Positions, side: p.Places}}
	e.patches = newLinear(prefix+"patch_embed.proj", 3*side*side, c, r)
	flat, name := e.patches.Weight, prefix+"patch_embed.proj.weight"
	e.patches.Weight.Export = func(values []float32) *tensor.Tensor { return folded(flat.Export(values), side) }
	e.patches.Weight.Import = func(values []float32, from *tensor.Tensor) {
		from.MustShape(name, c, 3, side, side)
		flat.Import(values, unfolded(from))
	}
	first := 0
	if p.Class {
		e.class = tokens("cls_token", r, 1, 1, c)
		first = 1
	}
	if p.Registers > 0 {
		e.registers = tokens("register_tokens", r, 1, p.Registers, c)
	}
	e.places = tokens("pos_embed", r, 1, first+p.Places*p.Places, c)
	return e
}

// tokens is a parameter of tokens, without weight decay.
func tokens(name string, r *rand.Rand, shape ...int) optim.Param {
	size := shape[1] * shape[2]
	p := optim.Param{
		Name: prefix + name, Value: make([]float32, size), Grad: make([]float32, size),
		Export: func(values []float32) *tensor.Tensor { return tensor.Of(slices.Clone(values), shape...) },
		Import: func(values []float32, from *tensor.Tensor) {
			from.MustShape(name, shape...)
			copy(values, from.Data)
		},
	}
	normal(&p, r)
	return p
}

func (e *embedding) params() []*optim.Param {
	var params []*optim.Param
	if e.plan.Class {
		params = append(params, &e.class)
	}
	if e.plan.Registers > 0 {
		params = append(params, &e.registers)
	}
	return append(params, &e.places, &e.patches.Weight, &e.patches.Bias)
}

// patchPlaces are the embeddings of the patches' places in values of e.places.
func (e *embedding) patchPlaces(values []float32) []float32 {
	if e.plan.Class {
		return values[e.plan.Channels:]
	}
	return values
}

// forward computes the tokens x [n·(before+h·w), C] of a batch [n, H, W, 3].
func (e *embedding) forward(ctx *nn.Context, x []float32, batch *tensor.Tensor) {
	p, c := e.plan, e.plan.Channels
	n := batch.Shape[0]
	e.h, e.w = batch.Shape[1]/p.Patch, batch.Shape[2]/p.Patch
	patches := e.h * e.w
	e.unfolded, e.proj = grow(e.unfolded, n*patches*e.patches.In), grow(e.proj, n*patches*c)
	e.resampled, e.dplace = grow(e.resampled, patches*c), grow(e.dplace, patches*c)
	e.unfold(ctx, batch)
	e.patches.Forward(ctx, e.proj, e.unfolded, n*patches)
	e.resampling.fit(e.h, e.w)
	e.resampling.forward(e.resampled, e.patchPlaces(e.places.Value), c)

	first := p.before()
	ctx.Split(n, func(from, to int) {
		for i := from; i < to; i++ {
			sequence := x[i*(first+patches)*c:][:(first+patches)*c]
			if p.Class {
				for k, v := range e.class.Value {
					sequence[k] = v + e.places.Value[k]
				}
			}
			copy(sequence[(first-p.Registers)*c:], e.registers.Value)
			for k, v := range e.proj[i*patches*c:][:patches*c] {
				sequence[first*c+k] = v + e.resampled[k]
			}
		}
	})
}

// unfold writes the values of each patch, in the order of a picture's.
func (e *embedding) unfold(ctx *nn.Context, batch *tensor.Tensor) {
	side, terms := e.plan.Patch, e.patches.In
	row := batch.Shape[2] * 3
	ctx.Split(batch.Shape[0]*e.h, func(from, to int) {
		for line := from; line < to; line++ {
			n, y := line/e.h, line%e.h
			picture := batch.Row(n)
			for x := range e.w {
				patch := e.unfolded[(line*e.w+x)*terms:][:terms]
				for dy := range side {
					copy(patch[dy*side*3:][:side*3], picture[(y*side+dy)*row+x*side*3:])
				}
				clear(patch[side*side*3:])
			}
		}
	})
}

// backward sets the gradients of all weights from that of the tokens, g.
func (e *embedding) backward(ctx *nn.Context, g []float32, n int) {
	p, c := e.plan, e.plan.Channels
	first, patches := p.before(), e.h*e.w
	tokens := first + patches
	// Each token's gradients are added up in the order of the pictures.
	ctx.Split(tokens, func(from, to int) {
		for token := from; token < to; token++ {
			var sum []float32
			switch {
			case token >= first:
				sum = e.dplace[(token-first)*c:][:c]
			case p.Class && token == 0:
				sum = e.class.Grad
			default:
				sum = e.registers.Grad[(token-first+p.Registers)*c:][:c]
			}
			clear(sum)
			for i := range n {
				for k, v := range g[(i*tokens+token)*c:][:c] {
					sum[k] += v
				}
			}
		}
	})
	if p.Class {
		copy(e.places.Grad, e.class.Grad)
	}
	e.resampling.backward(e.patchPlaces(e.places.Grad), e.dplace, c)
	for i := range n {
		copy(e.proj[i*patches*c:][:patches*c], g[(i*tokens+first)*c:])
	}
	e.patches.Backward(ctx, nil, e.proj, e.unfolded, n*patches)
}

// folded reorders filters [C, p·p·3], in the order of a picture's values, to [C, 3, p, p].
func folded(flat *tensor.Tensor, side int) *tensor.Tensor {
	t := tensor.New(flat.Shape[0], 3, side, side)
	for o := range flat.Shape[0] {
		for i, v := range flat.Row(o) {
			t.Row(o)[i%3*side*side+i/3] = v
		}
	}
	return t
}

// unfolded is the inverse of folded.
func unfolded(filters *tensor.Tensor) *tensor.Tensor {
	c, size := filters.Shape[0], filters.Shape[2]*filters.Shape[3]
	t := tensor.New(c, 3*size)
	for o := range c {
		for i := range t.Row(o) {
			t.Row(o)[i] = filters.Row(o)[i%3*size+i/3]
		}
	}
	return t
}
