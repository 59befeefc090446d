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

// A learner of features has no network: its caller computes the local embeddings
// of a thing, whatever that is, and the learner matches them.

// Shape says which features a learner takes.
type Shape struct {
	// Name says whose they are, such as "dinov2-small". Features of the same name
	// and shape can be compared: a project opens in no other learner.
	Name string
	// Nodes and Channels are the shape of a thing's features, [Nodes, Channels]: at
	// least one node of two channels, since nodes are centred over their channels.
	// Both 0: Reshape says later.
	Nodes, Channels int
	// Regions, [Nodes], are the parts of the thing that the nodes come from, for
	// explanations. nil: the cells of a square map, row by row, where Nodes is a
	// square number; else every node stands for the whole thing.
	Regions []embed.Region
}

// Limits of shapes: those of project files.
const (
	maxNodes    = 1 << 12
	maxChannels = 1 << 13
	maxName     = 1000 // bytes
)

// thumbnail is the side, in pixels, of the pictures that a learner of features keeps.
const thumbnail = 96

// Features returns a learner of features that its caller computes, one map of nodes
// for each thing. Pictures come to it as Picture.Embedding; further fields may hold
// a picture of the thing, which is kept for showing at the side of
// Options.Preprocess.Size (default 96 pixels) and has no part in answers. The
// method's embedder and the options of networks (Digest, Threads, LowMemory) do not
// count.
//
// Errors have code "bad-argument": an impossible shape, an invalid method or one
// that the kit cannot make, and the option Hearing.
func Features(shape Shape, opt Options) (*Learner, error) {
	if opt.Method.IsZero() {
		opt.Method = method.Default()
	}
	opt.Method.Embedder = method.Default().Embedder
	if opt.Preprocess == (imaging.Preprocess{}) {
		opt.Preprocess = imaging.Preprocess{Size: thumbnail, Std: [3]float32{1, 1, 1}}
	}
	if opt.Hearing != nil {
		return nil, fail(CodeBadArgument, "a learner of features does not hear: leave out Hearing, or make the learner with Open")
	}
	opt.Digest = ""
	l := &Learner{opt: opt, preprocess: opt.Preprocess}
	if err := l.Configure(opt.Method, opt.Tuning); err != nil {
		return nil, err
	}
	l.info = Info{Version: core.Version, Kernels: kernel.Name(), InputSize: l.preprocess.Size, Std: l.preprocess.Std, Mean: l.preprocess.Mean, Inputs: 1}
	if err := l.Reshape(shape); err != nil {
		return nil, err
	}
	return l, nil
}

// TakesFeatures reports whether the learner was made by Features: it has no network.
func (l *Learner) TakesFeatures() bool { return l.encoder == nil }

// Reshape says which features come to a learner made by Features, where that was not
// known when it was made. After the first example only name and regions may change.
//
// Errors have code "bad-argument", and change nothing.
func (l *Learner) Reshape(s Shape) error {
	switch open := s.Nodes == 0 && s.Channels == 0; {
	case !l.TakesFeatures():
		return fail(CodeBadArgument, "this learner's network says which features there are: make one for your own with Features")
	case !open && (s.Nodes < 1 || s.Nodes > maxNodes || s.Channels < 2 || s.Channels > maxChannels):
		return fail(CodeBadArgument, "features of %d nodes and %d channels: want 1 to %d nodes of 2 to %d channels", s.Nodes, s.Channels, maxNodes, maxChannels)
	case len(s.Name) > maxName:
		return fail(CodeBadArgument, "the name of the features has %d bytes: want at most %d", len(s.Name), maxName)
	case (s.Nodes != l.info.Nodes || s.Channels != l.info.Channels) && l.count() > 0:
		return fail(CodeBadArgument, "features of %d×%d: the examples have %d×%d, so make another learner for these", s.Nodes, s.Channels, l.info.Nodes, l.info.Channels)
	case s.Regions != nil && len(s.Regions) != s.Nodes:
		return fail(CodeBadArgument, "%d regions for %d nodes: want one of each node", len(s.Regions), s.Nodes)
	}
	for i, r := range s.Regions {
		if !(r.X0 >= 0 && r.X0 < r.X1 && r.X1 <= 1 && r.Y0 >= 0 && r.Y0 < r.Y1 && r.Y1 <= 1) {
			return fail(CodeBadArgument, "region %d is %v to %v, %v to %v: want fractions of the picture, 0 ≤ x0 < x1 ≤ 1 and likewise y", i, r.X0, r.X1, r.Y0, r.Y1)
		}
	}
	l.info.Name, l.info.Nodes, l.info.Channels = s.Name, s.Nodes, s.Channels
	if l.positions = slices.Clone(s.Regions); l.positions == nil {
		l.positions = cells(s.Nodes)
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

// given returns the local embeddings that came with a picture, and the learner's
// view of the picture itself, nil where none came.
func (l *Learner) given(p Picture) (*imaging.Image, *embed.Set, error) {
	set, err := l.known(p.Embedding)
	if err != nil {
		return nil, nil, err
	}
	l.read = nil
	if len(p.Data) == 0 && p.Rate == 0 {
		l.second = nil
		return nil, set, nil
	}
	cut, err := l.cut(p)
	if err != nil {
		return nil, nil, err
	}
	if !l.TakesFeatures() {
		set.Regions = l.regions(cut.crops)
	}
	return cut.view, set, nil
}

// known makes a set of local embeddings that a caller has, with the regions of the
// network's map. It copies the values.
//
// Errors have code "bad-argument": another number of values, values that are not
// finite, and nodes that are the same in every channel, all of them.
func (l *Learner) known(values []float32) (*embed.Set, error) {
	n, channels := l.info.Nodes, l.info.Channels
	switch {
	case n == 0:
		return nil, fail(CodeBadArgument, "the shape of the features is not known: say how many nodes and channels they have")
	case len(values) != n*channels && l.TakesFeatures():
		return nil, fail(CodeBadArgument, "%d values: want %d nodes of %d channels, %d", len(values), n, channels, n*channels)
	case len(values) != n*channels:
		return nil, fail(CodeBadArgument, "an embedding of %d values: this network makes %d×%d; leave it out, and the network computes it", len(values), n, channels)
	}
	set := &embed.Set{N: n, C: channels, Data: slices.Clone(values)}
	if len(l.positions) == n {
		set.Regions = l.positions
	}
	for i := range n {
		for c, v := range set.Node(i) {
			if v-v != 0 {
				return nil, fail(CodeBadArgument, "channel %d of node %d is %v: features have to be finite", c, i, v)
			}
		}
	}
	if err := checkFlat(set); err != nil {
		return nil, err
	}
	if err := l.explainer.matcher.Reset(&l.explainer.query, set); err != nil {
		return nil, fail(CodeBadArgument, "the features cannot be matched: %v", err)
	}
	return set, nil
}

// checkFlat refuses embeddings that say nothing: matched with any other they are alike.
// Networks that did not run, or whose weights are 0, make such.
func checkFlat(set *embed.Set) error {
	if !set.Flat() {
		return nil
	}
	return fail(CodeBadArgument, "no node differs from channel to channel, as if all features were 0: was the output read before the network had run?")
}

// count is the number of examples.
func (l *Learner) count() (n int) {
	for _, c := range l.classes {
		n += len(c.examples)
	}
	return n
}

// blind is the error of a request to look at a picture, without a network.
func (l *Learner) blind() error {
	return fail(CodeBadArgument, "this learner has no network, and cannot look at pictures: give the features that you computed (%d nodes of %d channels)", l.info.Nodes, l.info.Channels)
}
