package learner

import (
	"math"
	"slices"

	"github.com/deepemd/deepemd/core"
	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/imaging"
	"github.com/deepemd/deepemd/core/method"
	"github.com/deepemd/deepemd/internal/kernel"
)

// Shape describes the features of a learner made by NewFromFeatures.
type Shape struct {
	// Name identifies the features, such as "dinov2-small". Features are comparable if
	// they have the same name and shape: a project opens only in such a learner.
	Name string
	// Nodes and Channels are the shape of an object's features, [Nodes, Channels]: at
	// least one node and two channels, because nodes are centered over their channels. If
	// both are 0, Reshape sets them later.
	Nodes, Channels int
	// Regions, [Nodes], are the parts of the object that the nodes describe, for
	// explanations. The default is the cells of a square map, row by row, if Nodes is a
	// square number; otherwise every node describes the whole object.
	Regions []embed.Region
}

// thumbnail is the default side, in pixels, of the images that a learner of features stores.
const thumbnail = 96

// NewFromFeatures returns a learner of features that the caller computes, one map of nodes per
// object. Pass the features in Picture.Embedding. The other fields may contain an image of the
// object, which the learner stores for display, scaled to Options.Preprocess.Size (default 96
// pixels), and does not use in answers. NewFromFeatures ignores the method's embedder and the
// options of networks (Digest, Threads, LowMemory).
//
// # Errors
//
// CodeBadArgument for an invalid shape, a method that is invalid or not in the kit, sides of images
// that are out of range, and the option Hearing.
func NewFromFeatures(shape Shape, opt Options) (*Learner, error) {
	opt = opt.complete()
	opt.Method.Embedder = method.Default().Embedder
	if opt.Preprocess == (imaging.Preprocess{}) {
		opt.Preprocess = imaging.Preprocess{Size: thumbnail, Std: [3]float32{1, 1, 1}}
	}
	if p := opt.Preprocess; p.Size < 1 || p.Resize < 0 {
		return nil, fail(CodeBadArgument, "images of %d pixels, resized to %d: set Preprocess.Size, and Resize to 0 or more", p.Size, p.Resize)
	}
	if opt.Hearing != nil {
		return nil, fail(CodeBadArgument, "a learner of features does not process sounds: leave out Hearing, or make the learner with Open")
	}
	opt.Digest = ""
	pre := opt.Preprocess
	n := &network{
		preprocess: pre, workspace: new(workspace),
		info: Info{Version: core.Version, Kernels: kernel.Name(), InputSize: pre.Size, Std: pre.Std, Mean: pre.Mean, Inputs: 1},
	}
	l, err := newLearner(n, opt)
	if err != nil {
		return nil, err
	}
	if err := l.Reshape(shape); err != nil {
		return nil, err
	}
	return l, nil
}

// Reshape sets the shape of the features of a learner made by NewFromFeatures. After the first
// example, only the name and the regions may change. Earlier examples keep their regions.
//
// # Errors
//
// CodeBadArgument. An error leaves the learner unchanged.
func (l *Learner) Reshape(s Shape) error {
	return l.edit(func(m *Model) error {
		if err := m.checkShape(s); err != nil {
			return err
		}
		n := *m.net
		n.info.Name, n.info.Nodes, n.info.Channels = s.Name, s.Nodes, s.Channels
		if n.positions = slices.Clone(s.Regions); n.positions == nil {
			n.positions = cells(s.Nodes)
		}
		m.net = &n
		return nil
	})
}

func (m *Model) checkShape(s Shape) error {
	info := &m.net.info
	switch open := s.Nodes == 0 && s.Channels == 0; {
	case m.net.encoder != nil:
		return fail(CodeBadArgument, "this learner computes features itself: make one for your own features with NewFromFeatures")
	case !open && (s.Nodes < 1 || s.Nodes > method.MaxNodes || s.Channels < 2 || s.Channels > method.MaxChannels):
		return fail(CodeBadArgument, "features of %d×%d: want 1 to %d nodes of 2 to %d channels", s.Nodes, s.Channels, method.MaxNodes, method.MaxChannels)
	case (s.Nodes != info.Nodes || s.Channels != info.Channels) && count(m.classes) > 0:
		return fail(CodeBadArgument, "features of %d×%d, but the examples have %d×%d: make another learner for these", s.Nodes, s.Channels, info.Nodes, info.Channels)
	case s.Regions != nil && len(s.Regions) != s.Nodes:
		return fail(CodeBadArgument, "regions: %d, nodes: %d: want one per node", len(s.Regions), s.Nodes)
	}
	if err := method.CheckText("the name of the features", s.Name); err != nil {
		return fail(CodeBadArgument, "%v", err)
	}
	for i, r := range s.Regions {
		if !(r.X0 >= 0 && r.X0 < r.X1 && r.X1 <= 1 && r.Y0 >= 0 && r.Y0 < r.Y1 && r.Y1 <= 1) {
			return fail(CodeBadArgument, "region %d is x %v to %v, y %v to %v: want fractions of the picture, 0 ≤ x0 < x1 ≤ 1 and 0 ≤ y0 < y1 ≤ 1", i, r.X0, r.X1, r.Y0, r.Y1)
		}
	}
	return nil
}

// cells returns the regions of the n positions of a square map, or the whole image for each
// position if n is not a square number.
func cells(n int) []embed.Region {
	list := make([]embed.Region, n)
	side := int(math.Sqrt(float64(n)))
	if side*side != n {
		side = 1
	}
	width := 1 / float32(side)
	for i := range list {
		list[i] = embed.Region{X1: 1, Y1: 1}
		if side > 1 {
			x, y := float32(i%side), float32(i/side)
			list[i] = embed.Region{X0: x * width, Y0: y * width, X1: min((x+1)*width, 1), Y1: min((y+1)*width, 1)}
		}
	}
	return list
}
