package embed

import (
	"fmt"

	"deepemd/core/imaging"
	"deepemd/core/tensor"
)

// maxLevel bounds a pyramid level. The largest maps in use have 5×5 positions;
// a level far beyond the map only repeats nodes, and n of them cost n² work.
const maxLevel = 32

// batchSize is how many images go through the network at a time: enough to
// keep every core busy, few enough that activations stay some tens of MB.
const batchSize = 8

// FCN is the fully convolutional embedder of DeepEMD, section 3.4: one node for
// every position of the final feature map.
type FCN struct {
	// Pyramid lists further levels (P_feat of Table 3): for each s the map is
	// average-pooled adaptively to s×s nodes. They come before the nodes of the
	// raw map, in the order of the list, as in the reference.
	Pyramid []int
}

// Embed computes the node sets of images, in their order. pre turns each image
// into the network's input.
//
// It returns an error for a pyramid level outside 1…32, a preprocessing without
// a size, with a negative resize or a standard deviation that is not positive, a
// nil or empty image, and whatever the network rejects; never a part of the
// sets. Without images it only checks the settings.
func (f FCN) Embed(enc Encoder, pre imaging.Preprocess, imgs ...*imaging.Image) ([]*Set, error) {
	if err := f.check(pre, imgs); err != nil {
		return nil, err
	}
	sets := make([]*Set, 0, len(imgs))
	pixels := pre.Size * pre.Size * 3
	batch := make([]float32, min(len(imgs), batchSize)*pixels)
	for len(imgs) > 0 {
		n := min(len(imgs), batchSize)
		for i, img := range imgs[:n] {
			pre.Normalize(batch[i*pixels:][:pixels], pre.Pixels(img))
		}
		var err error
		if sets, err = f.append(sets, enc, tensor.Of(batch[:n*pixels], n, pre.Size, pre.Size, 3)); err != nil {
			return nil, err
		}
		imgs = imgs[n:]
	}
	return sets, nil
}

// EmbedInput is Embed for pictures that are the network's input already:
// [n, side, side, 3], normalised.
//
// It returns an error for a pyramid level outside 1…32, a tensor of another
// shape, and whatever the network rejects.
func (f FCN) EmbedInput(enc Encoder, input *tensor.Tensor) ([]*Set, error) {
	if err := f.checkLevels(); err != nil {
		return nil, err
	}
	if !input.HasShape(-1, -1, -1, 3) || input.Shape[1] != input.Shape[2] {
		return nil, fmt.Errorf("embed: input of shape %v, want [pictures side side 3]", input.Shape)
	}
	n, side := input.Shape[0], input.Shape[1]
	sets := make([]*Set, 0, n)
	pixels := side * side * 3
	for at := 0; at < n; at += batchSize {
		count := min(n-at, batchSize)
		var err error
		if sets, err = f.append(sets, enc, tensor.Of(input.Data[at*pixels:][:count*pixels], count, side, side, 3)); err != nil {
			return nil, err
		}
	}
	return sets, nil
}

// append adds the sets of one batch, [n, side, side, 3].
func (f FCN) append(sets []*Set, enc Encoder, batch *tensor.Tensor) ([]*Set, error) {
	maps, err := enc.Forward(batch)
	if err != nil {
		return nil, fmt.Errorf("embed: %w", err)
	}
	n := batch.Shape[0]
	maps.MustShape("feature maps", n, -1, -1, -1)
	for i := range n {
		sets = append(sets, f.nodes(maps.Row(i), maps.Shape[1], maps.Shape[2], maps.Shape[3], batch.Shape[1]))
	}
	return sets, nil
}

func (f FCN) checkLevels() error {
	for _, s := range f.Pyramid {
		if s < 1 || s > maxLevel {
			return fmt.Errorf("embed: pyramid level %d: want 1 to %d", s, maxLevel)
		}
	}
	return nil
}

func (f FCN) check(pre imaging.Preprocess, imgs []*imaging.Image) error {
	if err := f.checkLevels(); err != nil {
		return err
	}
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

// nodes builds the set of one feature map, [h, w, c], of an input of the given
// side.
func (f FCN) nodes(fmap []float32, h, w, c, side int) *Set {
	n := h * w
	for _, s := range f.Pyramid {
		n += s * s
	}
	set := &Set{N: n, C: c, Data: make([]float32, n*c), Regions: make([]Region, 0, n)}
	grid := grid{h: h, w: w, side: side}
	at := 0
	for _, s := range f.Pyramid {
		pool(set.Data[at:][:s*s*c], fmap, h, w, c, s)
		set.Regions = grid.append(set.Regions, s, s)
		at += s * s * c
	}
	copy(set.Data[at:], fmap)
	set.Regions = grid.append(set.Regions, h, w)
	return set
}
