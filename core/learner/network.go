package learner

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/deepemd/deepemd/core"
	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/fewshot"
	"github.com/deepemd/deepemd/core/imaging"
	"github.com/deepemd/deepemd/core/match"
	"github.com/deepemd/deepemd/internal/filekind"
	"github.com/deepemd/deepemd/internal/kernel"
	"github.com/deepemd/deepemd/internal/tensor"
)

// network converts images from bytes to nodes. Only its workspace changes. All learners with
// the same encoder, and their models, share it.
type network struct {
	encoder    embed.Encoder  // nil in a learner of features
	embedder   embed.Embedder // nil in a learner of features
	preprocess imaging.Preprocess
	hearing    Hearing
	info       Info
	positions  []embed.Region // regions of the nodes of an image in the network's size, or of features; nil for random crops
	*workspace
}

// workspace is the working memory of the network, the classifiers and the matchers. They run
// only while it is locked.
type workspace struct {
	sync.Mutex
	frame  imaging.Image // input pixels
	embed  embed.Workspace
	detail fewshot.Detail
	probs  []float64
}

// preparedImage is an image in processing.
type preparedImage struct {
	image  *imaging.Image // the whole image, perhaps in the workspace; nil for features of crops
	view   *imaging.Image // the embedded part; nil without an image
	second []float32      // the embedded second of a sound
	crops  []embed.Crop
	set    *embed.Set
}

// probe runs the network once, and sets the info and the positions.
func (n *network) probe() error {
	side := n.preprocess.Size
	blank := &imaging.Image{Width: side, Height: side, Pix: make([]uint8, side*side*3)}
	crops := n.embedder.Crops(n.preprocess, blank)
	one, err := n.encode(crops[:1]) // the other crops have the same shape
	if err == nil {
		_, err = match.Prepare(one) // checks that the values are finite
	}
	if err != nil {
		return fail(CodeBadWeights, "the network failed on a blank picture: %v", err)
	}
	if n.positions = one.Regions; len(crops) > 1 {
		n.positions = n.regions(crops)
	}
	if _, random := n.embedder.(embed.Sampling); random {
		n.positions = nil // they depend on the image
	}
	meta := n.encoder.Meta()
	n.info = Info{
		Name:      meta.Name,
		Version:   core.Version,
		Kernels:   kernel.Name(),
		InputSize: side,
		Widths:    meta.Widths,
		Nodes:     one.N * len(crops),
		Channels:  one.C,
		Mean:      n.preprocess.Mean,
		Std:       n.preprocess.Std,
		Inputs:    len(crops),
	}
	return nil
}

// input is a picture on its way to the network.
type input struct {
	Picture
	cut *preparedImage // of a file or a sound, unless err; pixels are cut in the workspace
	err error
}

// open reads a file or a sound, without the workspace: decoding a photograph takes longer than the
// network, and other images need not wait for it.
func (n *network) open(p Picture) input {
	in := input{Picture: p}
	if p.Width == 0 && p.Height == 0 && (len(p.Data) > 0 || p.Rate != 0) {
		in.cut, in.err = n.cut(p)
	}
	return in
}

// crops returns the crops of an image.
func (n *network) crops(in input) (*preparedImage, error) {
	if in.cut != nil || in.err != nil {
		return in.cut, in.err
	}
	return n.cut(in.Picture)
}

// see reads and embeds an image. The caller may keep the result, except its image.
//
// Errors: CodeBadImage, CodeBadSound, CodeSilent; CodeBadArgument for an invalid embedding,
// and for an image without a network; CodeInternal for features that do not match their
// inputs.
func (n *network) see(p input) (*preparedImage, error) {
	if p.Embedding == nil && n.encoder == nil {
		return nil, n.errNoNetwork()
	}
	if p.Features != nil && p.Embedding == nil {
		return n.complete(p.Picture)
	}
	var known *embed.Set
	if p.Embedding != nil {
		var err error
		if known, err = n.setFromValues(p.Embedding); err != nil {
			return nil, err
		}
		if len(p.Data) == 0 && p.Rate == 0 {
			return &preparedImage{set: known}, nil
		}
	}
	s, err := n.crops(p)
	if err != nil {
		return nil, err
	}
	if s.set = known; known == nil {
		s.set, err = n.encode(s.crops)
	} else if n.encoder != nil {
		known.Regions = n.regions(s.crops)
	}
	return s, err
}

// cut reads an image and cuts it into crops.
func (n *network) cut(p Picture) (*preparedImage, error) {
	img, second, err := n.read(p)
	if err != nil {
		return nil, err
	}
	s := &preparedImage{image: img, second: second}
	switch side := n.preprocess.Size; {
	case p.Seen && img.Width == side && img.Height == side:
		s.view = img
	case n.encoder == nil:
		s.view = n.preprocess.Pixels(img)
	default:
		s.view = n.embedder.View(n.preprocess, img)
	}
	if s.view == img { // in memory that the next image overwrites
		s.view = &imaging.Image{Width: img.Width, Height: img.Height, Pix: slices.Clone(img.Pix)}
	}
	if n.encoder != nil {
		s.crops = n.embedder.Crops(n.preprocess, s.view)
	}
	return s, nil
}

const forSounds = "make one for sounds (Go: Options.Hearing; JavaScript: sound: true)"

// read returns the pixels of an image, or the spectrogram of a sound and the embedded second.
func (n *network) read(p Picture) (img *imaging.Image, second []float32, err error) {
	encoded := p.Width == 0 && p.Height == 0
	switch {
	case n.hearing != nil && encoded:
		if img, second, err = n.hearing(p); err != nil { // maybe a spectrogram stored as an image, as in project files
			side := n.info.InputSize
			if kept, wrong := imaging.Decode(p.Data); wrong == nil && kept.Width == side && kept.Height == side {
				return kept, nil, nil
			}
		}
		return img, second, err
	case p.Rate != 0 || len(p.Data) == 0 && len(p.Samples) > 0:
		return nil, nil, fail(CodeBadSound, "this learner is for pictures: %s", forSounds)
	case encoded:
		if img, err = imaging.Decode(p.Data); err != nil {
			if kind, _ := filekind.Of(p.Data); strings.HasSuffix(kind, " recording") && !strings.Contains(kind, "video") {
				return nil, nil, fail(CodeBadImage, "the file is %s, and this learner is for pictures: %s", kind, forSounds)
			}
		}
	default:
		img, err = n.pack(p)
	}
	if err != nil {
		return nil, nil, fail(CodeBadImage, "%v", err)
	}
	return img, nil, nil
}

// pack packs pixels into RGB, in the workspace.
func (n *network) pack(p Picture) (*imaging.Image, error) {
	const limit = 1 << 14 // pixels per side; prevents an overflow of area
	if p.Width < 1 || p.Height < 1 || p.Width > limit || p.Height > limit {
		return nil, fmt.Errorf("a picture of %d×%d pixels: want sides of 1 to %d", p.Width, p.Height, limit)
	}
	area := p.Width * p.Height
	if len(p.Data) != area*3 && len(p.Data) != area*4 {
		return nil, fmt.Errorf("%d bytes for %d×%d pixels: want %d (RGB) or %d (RGBA)", len(p.Data), p.Width, p.Height, area*3, area*4)
	}
	pix := slices.Grow(n.frame.Pix[:0], area*3)[:area*3]
	if len(p.Data) == len(pix) {
		copy(pix, p.Data)
	} else {
		imaging.FlattenRGBA(pix, p.Data)
	}
	n.frame = imaging.Image{Width: p.Width, Height: p.Height, Pix: pix}
	return &n.frame, nil
}

// encode embeds an image's crops.
func (n *network) encode(crops []embed.Crop) (*embed.Set, error) {
	sets, err := n.embed.Encode(n.embedder, n.encoder, n.preprocess, crops)
	if err != nil {
		return nil, err
	}
	return sets[0], nil
}

// complete returns the image of p.Inputs with the local embeddings of p.Features.
func (n *network) complete(p Picture) (*preparedImage, error) {
	if p.Inputs == nil || p.Inputs.sight == nil {
		return nil, fail(CodeInternal, "features without their inputs: give the crops that they were computed from, as Learner.Inputs returned them")
	}
	s := *p.Inputs.sight
	if len(s.crops) != n.info.Inputs {
		return nil, fail(CodeInternal, "%d crops, but this embedder has %d: use learners with the same method", len(s.crops), n.info.Inputs)
	}
	if want := len(s.crops) * n.info.Channels; len(p.Features) != want {
		return nil, fail(CodeInternal, "%d features: want %d for each of %d crops", len(p.Features), n.info.Channels, len(s.crops))
	}
	s.set = n.embedder.Set(s.crops, tensor.Of(p.Features, len(s.crops), 1, 1, n.info.Channels))
	return &s, nil
}

// setFromValues returns a set with a copy of the given local embeddings and, if known, the regions of the
// network's map.
//
// It returns CodeBadArgument for another number of values, values that are not finite, and
// embeddings with equal channels in every node.
func (n *network) setFromValues(values []float32) (*embed.Set, error) {
	nodes, channels := n.info.Nodes, n.info.Channels
	switch {
	case nodes == 0:
		return nil, fail(CodeBadArgument, "the shape of the features is unknown: set their numbers of nodes and channels")
	case len(values) != nodes*channels && n.encoder == nil:
		return nil, fail(CodeBadArgument, "%d values: want nodes × channels, %d×%d = %d", len(values), nodes, channels, nodes*channels)
	case len(values) != nodes*channels:
		return nil, fail(CodeBadArgument, "an embedding of %d values, want %d×%d: leave it out, and the network computes it", len(values), nodes, channels)
	}
	set := &embed.Set{N: nodes, C: channels, Data: slices.Clone(values)}
	if len(n.positions) == nodes {
		set.Regions = slices.Clone(n.positions)
	}
	for i := range nodes {
		for c, v := range set.Node(i) {
			if v-v != 0 {
				return nil, fail(CodeBadArgument, "channel %d of node %d is %v: features must be finite", c, i, v)
			}
		}
	}
	return set, checkFlat(set)
}

// checkFlat rejects embeddings with equal channels in every node, which contain no information.
// They are the output of a network that did not run, or whose weights are 0.
func checkFlat(set *embed.Set) error {
	if !set.Flat() {
		return nil
	}
	return fail(CodeBadArgument, "every node has the same value in all channels, as if all features were 0: was the output read before the network had run?")
}

// regions returns the regions of an image's nodes: the positions of the network's map, or the
// crops.
func (n *network) regions(crops []embed.Crop) []embed.Region {
	if _, whole := n.embedder.(embed.FCN); whole {
		return slices.Clone(n.positions)
	}
	list := make([]embed.Region, len(crops))
	for i, crop := range crops {
		list[i] = crop.Region
	}
	return list
}

// original returns the square that embedders with crops use, at most four times as wide as the
// network's input, or nil if it is not larger than the view.
func (n *network) original(s *preparedImage) *imaging.Image {
	if s.image == nil || n.encoder == nil {
		return nil
	}
	square := (embed.Sampling{}).View(n.preprocess, s.image)
	if square.Width <= s.view.Width {
		return nil
	}
	if square == s.image {
		square = &imaging.Image{Width: square.Width, Height: square.Height, Pix: slices.Clone(square.Pix)}
	}
	return square
}

// errNoNetwork returns the error of embedding an image without a network.
func (n *network) errNoNetwork() error {
	return fail(CodeBadArgument, "this learner has no network, and cannot embed pictures: give the features that you computed (nodes × channels: %d×%d)", n.info.Nodes, n.info.Channels)
}
