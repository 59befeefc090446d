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

// Shape describes the features that a learner takes.
type Shape struct {
	// Name identifies the features, such as "dinov2-small". Features of the same name
	// and shape can be compared: a project opens in no other learner.
	Name string
	// Nodes and Channels are the shape of a thing's features, [Nodes, Channels]: at
	// least one node of two channels, since nodes are centred over their channels.
	// If both are 0, Reshape follows.
	Nodes, Channels int
	// Regions, [Nodes], are the parts of the thing that the nodes come from, for
	// explanations. nil: the cells of a square map, row by row, if Nodes is a
	// square number; otherwise every node stands for the whole thing.
	Regions []embed.Region
}

// thumbnail is the side, in pixels, of the images that a learner of features keeps.
const thumbnail = 96

// NewFromFeatures returns a learner of features that its caller computes, one map of nodes
// for each thing. They come to it as Picture.Embedding; further fields may hold
// an image of the thing, which is kept for showing at the side of
// Options.Preprocess.Size (default 96 pixels) and has no part in answers. The
// method's embedder and the options of networks (Digest, Threads, LowMemory) do not
// count.
//
// # Errors
//
// CodeBadArgument: an impossible shape, an invalid method or one that the kit cannot make,
// and the option Hearing.
func NewFromFeatures(shape Shape, opt Options) (*Learner, error) {
	opt = opt.complete()
	opt.Method.Embedder = method.Default().Embedder
	if opt.Preprocess == (imaging.Preprocess{}) {
		opt.Preprocess = imaging.Preprocess{Size: thumbnail, Std: [3]float32{1, 1, 1}}
	}
	if opt.Hearing != nil {
		return nil, fail(CodeBadArgument, "a learner of features does not hear: leave out Hearing, or make the learner with Open")
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

// Reshape describes the features that come to a learner made by NewFromFeatures, if they
// were not known when it was made. After the first example only name and regions may
// change.
//
// # Errors
//
// CodeBadArgument. The learner is then as before.
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
		return fail(CodeBadArgument, "this learner's network says which features there are: make one for your own with NewFromFeatures")
	case !open && (s.Nodes < 1 || s.Nodes > method.MaxNodes || s.Channels < 2 || s.Channels > method.MaxChannels):
		return fail(CodeBadArgument, "features of %d nodes and %d channels: want 1 to %d nodes of 2 to %d channels", s.Nodes, s.Channels, method.MaxNodes, method.MaxChannels)
	case len(s.Name) > method.MaxText:
		return fail(CodeBadArgument, "the name of the features has %d bytes: want at most %d", len(s.Name), method.MaxText)
	case (s.Nodes != info.Nodes || s.Channels != info.Channels) && m.count() > 0:
		return fail(CodeBadArgument, "features of %d×%d: the examples have %d×%d, so make another learner for these", s.Nodes, s.Channels, info.Nodes, info.Channels)
	case s.Regions != nil && len(s.Regions) != s.Nodes:
		return fail(CodeBadArgument, "%d regions for %d nodes: want one of each node", len(s.Regions), s.Nodes)
	}
	for i, r := range s.Regions {
		if !(r.X0 >= 0 && r.X0 < r.X1 && r.X1 <= 1 && r.Y0 >= 0 && r.Y0 < r.Y1 && r.Y1 <= 1) {
			return fail(CodeBadArgument, "region %d is %v to %v, %v to %v: want fractions of the picture, 0 ≤ x0 < x1 ≤ 1 and likewise y", i, r.X0, r.X1, r.Y0, r.Y1)
		}
	}
	return nil
}

// cells are the regions of a square map's n positions; of any other n, the whole for
// each.
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
