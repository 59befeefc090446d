package embed

import (
	"github.com/deepemd/deepemd/core/imaging"
	"github.com/deepemd/deepemd/internal/tensor"
)

// Live embeds one picture after the other, a camera's frames, by FCN, in memory
// that it keeps. The zero value is ready.
type Live struct {
	scaler imaging.Scaler
	input  *tensor.Tensor
	set    Set
}

// Embed returns the network's Size×Size view of a picture, and its nodes, without a
// summary. Both are valid until the next call. f and pre must be valid for Check and Embedder.Embed.
//
// It returns an error for everything that the network rejects.
func (l *Live) Embed(f FCN, enc Encoder, pre imaging.Preprocess, img *imaging.Image) (*imaging.Image, *Set, error) {
	view := l.scaler.Pixels(pre, img)
	if l.input == nil || l.input.Shape[1] != pre.Size {
		l.input = tensor.New(1, pre.Size, pre.Size, 3)
	}
	pre.Normalize(l.input.Data, view)
	err := forwardBatch(enc, l.input, func(seen output) {
		seen.summary = nil // nobody searches for a frame
		f.fill(&l.set, seen, pre.Size)
	})
	if err != nil {
		return nil, nil, err
	}
	return view, &l.set, nil
}
