// Package embed turns a picture into its set of local embeddings: the nodes
// that matching later weighs and moves between pictures. Every node keeps the
// region of the picture it came from, so that a match can be drawn.
//
// An Embedder decides which parts of a picture become nodes (DeepEMD, section
// 3.4); the network that computes them is an Encoder. FCN takes every position
// of the final feature map, with coarser pooled levels where a feature pyramid
// is asked for. Grid and Sampling cut the picture up first, regularly or at
// random, and make one node of each crop: the network then sees every part at
// its full input size, for as many passes as there are crops.
//
// Embed does all of this for pictures. To spread the passes over workers, take the
// network's inputs from an Embedder's Crops, and give the feature maps, wherever
// they were computed, to its Set.
package embed

import (
	"fmt"
	"slices"

	"github.com/deepemd/deepemd/core/imaging"
	"github.com/deepemd/deepemd/core/method"
	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/internal/tensor"
)

// Embedder decides which parts of a picture become nodes: FCN, Grid or
// Sampling.
type Embedder interface {
	// Check returns an error that names the first invalid setting. The other
	// methods require valid settings.
	Check() error

	// View returns the part of a picture that is embedded, with no more pixels than
	// embedding needs. The regions of nodes are fractions of it. With pre.Resize =
	// 0 a view is its own view.
	View(pre imaging.Preprocess, img *imaging.Image) *imaging.Image

	// Crops lists the network's inputs for a view. They depend only on the view's
	// pixels and the settings.
	Crops(pre imaging.Preprocess, view *imaging.Image) []Crop

	// Set makes the nodes of a picture from the network's feature maps of its
	// crops, [crops, h, w, C]; it copies them. Where every crop becomes one node,
	// the means that Pool returns give the same set.
	Set(crops []Crop, maps *tensor.Tensor) *Set

	// Embed computes the node sets of images, in their order. pre says what the
	// network takes.
	//
	// It returns an error for settings that Check refuses, a preprocessing without
	// a size, with a negative resize or a standard deviation that is not positive,
	// a nil or empty image, and for everything that the network rejects. Then it
	// returns no sets at all. Without images it only checks the settings.
	Embed(enc Encoder, pre imaging.Preprocess, imgs ...*imaging.Image) ([]*Set, error)
}

// checked returns the error of an embedder's settings.
func checked(e method.Embedder) error {
	if err := e.Validate(); err != nil {
		return fmt.Errorf("embed: %w", err)
	}
	return nil
}

// Crop is a part of a picture, as the network takes it.
type Crop struct {
	Picture *imaging.Image // [Size, Size], 8-bit
	Region  Region         // of the view, in fractions of its sides
}

// batchSize is how many crops go through the network at a time: enough to keep
// every core busy, few enough that activations stay some tens of MB.
const batchSize = 8

// embed is Embed of any embedder.
func embed(e Embedder, enc Encoder, pre imaging.Preprocess, imgs []*imaging.Image) ([]*Set, error) {
	if err := e.Check(); err != nil {
		return nil, err
	}
	if err := check(pre, imgs); err != nil {
		return nil, err
	}
	pictures := make([][]Crop, len(imgs))
	for i, img := range imgs {
		pictures[i] = e.Crops(pre, e.View(pre, img))
	}
	return Encode(e, enc, pre, pictures...)
}

// Encode computes the node sets of pictures that e cut into crops, in their order.
// It does not check the settings.
//
// It returns an error for everything that the network rejects, and then no sets at
// all.
func Encode(e Embedder, enc Encoder, pre imaging.Preprocess, pictures ...[]Crop) ([]*Set, error) {
	return new(Workspace).Encode(e, enc, pre, pictures...)
}

// Workspace encodes one picture after the other, such as a camera's frames, in memory that
// it keeps. The zero value is ready. It is not safe for concurrent use.
type Workspace struct{ batch, features []float32 }

// Encode is the function of that name. The sets belong to the caller.
func (w *Workspace) Encode(e Embedder, enc Encoder, pre imaging.Preprocess, pictures ...[]Crop) ([]*Set, error) {
	var all []*imaging.Image
	for _, crops := range pictures {
		for _, crop := range crops {
			all = append(all, crop.Picture)
		}
	}
	sets := make([]*Set, 0, len(pictures))
	w.features = w.features[:0] // of the present picture's crops, so far
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

// Pool computes the mean over every crop's feature map, [crops, 1, 1, C], for a Set
// of crops that become one node each. Several places may pool crops of one picture;
// join their results in the order of the crops.
//
// It returns an error for everything that the network rejects.
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

// output is a network's output for one picture.
type output struct {
	fmap    []float32 // [h, w, c]
	h, w, c int
	summary []float32 // [c], nil from a network that has none
}

// forward passes Size×Size pictures through the network and hands each one's
// output to take, in their order.
func (w *Workspace) forward(enc Encoder, pre imaging.Preprocess, pictures []*imaging.Image, take func(output)) error {
	pixels := pre.Size * pre.Size * 3
	size := min(len(pictures), batchSize) * pixels
	w.batch = slices.Grow(w.batch[:0], size)[:size]
	for len(pictures) > 0 {
		n := min(len(pictures), batchSize)
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

// forwardBatch is forward for normalised pictures, [n, side, side, 3].
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

// check refuses a preprocessing and images that cannot be embedded.
func check(pre imaging.Preprocess, imgs []*imaging.Image) error {
	if pre.Size < 1 {
		return fmt.Errorf("embed: input size %d: want the side of the network's input in pixels", pre.Size)
	}
	if pre.Resize < 0 {
		return fmt.Errorf("embed: resize to %d: want a side in pixels, or 0 for none", pre.Resize)
	}
	for c, s := range pre.Std {
		if !(s > 0) {
			return fmt.Errorf("embed: standard deviation %v of channel %d: want it positive, as in the weights' metadata", s, c)
		}
	}
	for i, img := range imgs {
		if img == nil || img.Width < 1 || img.Height < 1 || len(img.Pix) != img.Width*img.Height*3 {
			return fmt.Errorf("embed: image %d has no pixels: decode it first", i)
		}
	}
	return nil
}

// Encoder is a fully convolutional network, such as a backbone.Network.
type Encoder interface {
	// Forward maps normalised images, [N, H, W, 3], to feature maps,
	// [N, h, w, C]. The result is valid until the next call.
	Forward(batch *tensor.Tensor) (*tensor.Tensor, error)

	// Meta says what the network was trained on and how images must reach it.
	Meta() weights.Meta
}

// Summarizer is an Encoder that says something of each picture as a whole, as a vision
// transformer's class token does.
type Summarizer interface {
	// Summaries returns what the latest Forward says of its pictures, [N, C], valid until
	// the next call; nil for a network that says nothing.
	Summaries() *tensor.Tensor
}
