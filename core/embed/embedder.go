// Package embed converts a picture to its set of local embeddings, the nodes of matching. Every
// node has the region of the picture that it comes from, so that a match can be drawn.
//
// An Embedder chooses the parts of a picture that become nodes (DeepEMD, section 3.4), and an
// Encoder is the network that computes them. FCN takes every position of the final feature map,
// with coarser pooled levels for a feature pyramid. Grid and Sampling cut the picture into regular
// or random crops and make one node of each: the network sees every crop at its full input size, in
// one pass per crop.
//
// Embed does all of this for pictures. To distribute the passes over workers, take the inputs from
// an Embedder's Crops, and pass the feature maps to its Set.
package embed

import (
	"fmt"
	"slices"

	"github.com/deepemd/deepemd/core/imaging"
	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/internal/tensor"
)

// Embedder chooses the parts of a picture that become nodes: FCN, Grid or Sampling. Its settings
// must be valid, as method.Embedder.Validate checks.
type Embedder interface {
	// View returns the part of a picture that is embedded, reduced to the pixels that embedding
	// needs. The regions of nodes are fractions of its sides. With pre.Resize = 0 the view of a
	// view is the view itself.
	View(pre imaging.Preprocess, img *imaging.Image) *imaging.Image

	// Crops returns the network's inputs for a view. They depend on the view's pixels and the
	// settings only.
	Crops(pre imaging.Preprocess, view *imaging.Image) []Crop

	// Set returns the nodes of a picture, a copy, from the network's feature maps of its crops,
	// [crops, h, w, C]. If every crop becomes one node, the means from Pool give the same set.
	Set(crops []Crop, maps *tensor.Tensor) *Set
}

// Crop is a part of a picture at the size of the network's input.
type Crop struct {
	Picture *imaging.Image // [Size, Size], 8-bit
	Region  Region         // of the view, in fractions of its sides
}

// batchSize is the number of crops in a pass, unless the encoder is a Batcher: enough for all cores,
// with activations of some tens of MB.
const batchSize = 8

// Batcher is an Encoder whose passes take another number of images than usual, such as one on a
// graphics card.
type Batcher interface {
	// Batch returns the number of images in a pass.
	Batch() int
}

// passSize returns the number of images in a pass.
func passSize(enc Encoder) int {
	if b, ok := enc.(Batcher); ok {
		return b.Batch()
	}
	return batchSize
}

// Embed computes the node sets of images, in order. pre is the preprocessing of the network.
//
// It returns an error for a preprocessing without size, with negative resize or with a standard
// deviation that is not positive, a nil or empty image, and errors of the network. Without images it
// only checks the preprocessing.
func Embed(e Embedder, enc Encoder, pre imaging.Preprocess, imgs ...*imaging.Image) ([]*Set, error) {
	if err := check(pre, imgs); err != nil {
		return nil, err
	}
	pictures := make([][]Crop, len(imgs))
	for i, img := range imgs {
		pictures[i] = e.Crops(pre, e.View(pre, img))
	}
	return new(Workspace).Encode(e, enc, pre, pictures...)
}

// Workspace encodes pictures, such as a camera's frames, and reuses its memory. The zero value is
// ready to use. It is not safe for concurrent use.
type Workspace struct{ batch, features []float32 }

// Encode computes the node sets of pictures from their crops, in order. It does not check the
// preprocessing. Errors come from the network. The sets belong to the caller.
func (w *Workspace) Encode(e Embedder, enc Encoder, pre imaging.Preprocess, pictures ...[]Crop) ([]*Set, error) {
	var all []*imaging.Image
	for _, crops := range pictures {
		for _, crop := range crops {
			all = append(all, crop.Picture)
		}
	}
	sets := make([]*Set, 0, len(pictures))
	w.features = w.features[:0]
	err := w.forward(enc, pre, all, func(seen output) {
		w.features = append(w.features, seen.fmap...)
		crops := pictures[len(sets)]
		if len(w.features) < len(crops)*len(seen.fmap) {
			return
		}
		set := e.Set(crops, tensor.Of(w.features, len(crops), seen.h, seen.w, seen.c))
		if len(crops) == 1 && crops[0].Region == whole {
			set.Summary = slices.Clone(seen.summary)
		}
		sets = append(sets, set)
		w.features = w.features[:0]
	})
	if err != nil {
		return nil, err
	}
	return sets, nil
}

// Pool returns the mean of every crop's feature map, [crops, 1, 1, C], for embedders with one node
// per crop. Several workers may pool crops of one picture; concatenate their results in the order
// of the crops. Errors come from the network.
func Pool(enc Encoder, pre imaging.Preprocess, crops ...*imaging.Image) (*tensor.Tensor, error) {
	var data []float32
	err := new(Workspace).forward(enc, pre, crops, func(seen output) {
		at := len(data)
		data = append(data, make([]float32, seen.c)...)
		PoolMap(data[at:], seen.fmap, seen.h, seen.w, seen.c, 1)
	})
	if err != nil {
		return nil, err
	}
	return tensor.Of(data, len(crops), 1, 1, len(data)/max(len(crops), 1)), nil
}

type output struct {
	fmap    []float32 // [h, w, c]
	h, w, c int
	summary []float32 // [c], or nil
}

// forward encodes Size×Size pictures and calls take with each output, in order.
func (w *Workspace) forward(enc Encoder, pre imaging.Preprocess, pictures []*imaging.Image, take func(output)) error {
	pixels, most := pre.Size*pre.Size*3, passSize(enc)
	size := min(len(pictures), most) * pixels
	w.batch = slices.Grow(w.batch[:0], size)[:size]
	for len(pictures) > 0 {
		n := min(len(pictures), most)
		for i, picture := range pictures[:n] {
			pre.Normalize(w.batch[i*pixels:][:pixels], picture)
		}
		if err := forwardBatch(enc, tensor.Of(w.batch[:n*pixels], n, pre.Size, pre.Size, 3), take); err != nil {
			return err
		}
		pictures = pictures[n:]
	}
	return nil
}

// forwardBatch is forward for normalized pictures, [n, side, side, 3].
func forwardBatch(enc Encoder, batch *tensor.Tensor, take func(output)) error {
	maps, err := enc.Forward(batch)
	if err != nil {
		return fmt.Errorf("embed: %w", err)
	}
	maps.MustShape("feature maps", batch.Shape[0], -1, -1, -1)
	var summaries *tensor.Tensor
	if s, ok := enc.(Summarizer); ok {
		summaries = s.Summaries()
	}
	for i := range batch.Shape[0] {
		seen := output{fmap: maps.Row(i), h: maps.Shape[1], w: maps.Shape[2], c: maps.Shape[3]}
		if summaries != nil {
			seen.summary = summaries.Row(i)
		}
		take(seen)
	}
	return nil
}

// check returns an error for a preprocessing or images that cannot be embedded.
func check(pre imaging.Preprocess, imgs []*imaging.Image) error {
	if pre.Size < 1 {
		return fmt.Errorf("embed: input size %d: want the side of the network's input in pixels", pre.Size)
	}
	if pre.Resize < 0 {
		return fmt.Errorf("embed: resize to %d: want a side in pixels, or 0 for none", pre.Resize)
	}
	for c, s := range pre.Std {
		if !(s > 0) {
			return fmt.Errorf("embed: standard deviation %v of channel %d: want a positive number, as in the weights' metadata", s, c)
		}
	}
	for i, img := range imgs {
		if img == nil || img.Width < 1 || img.Height < 1 || len(img.Pix) != img.Width*img.Height*3 {
			return fmt.Errorf("embed: image %d has no pixels: decode it first", i)
		}
	}
	return nil
}

// Encoder is a fully convolutional network, such as the result of learner.Learner.Encoder. It is
// not safe for concurrent use.
type Encoder interface {
	// Forward maps normalized images, [N, H, W, 3], to feature maps, [N, h, w, C], which are valid
	// until the next call.
	Forward(batch *tensor.Tensor) (*tensor.Tensor, error)

	// Meta returns the network's metadata: training data and preprocessing.
	Meta() weights.Meta
}

// Summarizer is an Encoder with a global output per picture, such as a vision transformer's class
// token.
type Summarizer interface {
	// Summaries returns the global outputs of the latest Forward, [N, C], valid until the next
	// call, or nil if the network has none.
	Summaries() *tensor.Tensor
}
