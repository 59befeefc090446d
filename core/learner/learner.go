// Package learner recognizes images and sounds from a few examples of each class. A
// [Learner] holds a network, a method (package method), and the classes of one project
// with their examples: it adds, removes and configures. Its [Model], an immutable
// snapshot, classifies, reports unknown images, explains its answers, reviews the
// examples, measures the learning curve and refines the classes. The page's engine and the
// command use the same two types; a Go program begins here.
//
// The package reads no files: package project/archive saves and opens projects, and
// package sound makes learners of sounds. NewFromFeatures makes a learner without a network, for
// features that the program computes itself.
//
// Build programs with GOEXPERIMENT=simd: without it an image takes about four times as
// long on amd64, with the same answer (see package core).
package learner

import (
	"slices"
	"sync/atomic"

	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/imaging"
	"github.com/deepemd/deepemd/core/match"
	"github.com/deepemd/deepemd/core/method"
	"github.com/deepemd/deepemd/core/openset"
	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/internal/backbone"
)

// Learner is a network with classes and their examples. Open, New and NewFromFeatures return
// one. Its methods change the classes, and Model returns a snapshot.
//
// All methods of learners and models are safe for concurrent use. The result of Encoder is not.
type Learner struct{ model atomic.Pointer[Model] }

// Open returns a learner with the network in a weights file (safetensors) and the default
// method.
//
// # Errors
//
// The same as OpenWith.
func Open(file []byte) (*Learner, error) { return OpenWith(file, Options{}) }

// OpenWith is Open with options.
//
// # Errors
//
// CodeBadWeights for a file that is damaged or contains an unsupported network, and the same
// as New.
func OpenWith(file []byte, opt Options) (*Learner, error) {
	f, err := weights.Decode("weights", file)
	if err != nil {
		return nil, fail(CodeBadWeights, "%v", err)
	}
	return OpenFile(f, opt)
}

// OpenFile is OpenWith for a file that the caller has decoded.
//
// # Errors
//
// CodeBadWeights for an unsupported network, and the same as New.
func OpenFile(f *weights.File, opt Options) (*Learner, error) {
	encoder, err := backbone.New(f, backbone.Options{Threads: opt.Threads, LowMemory: opt.LowMemory})
	if err != nil {
		return nil, fail(CodeBadWeights, "%v", err)
	}
	if text := f.Meta.Extra[openset.PriorKey]; text != "" && opt.Prior == (openset.Prior{}) {
		if opt.Prior, err = openset.ParsePrior(text); err != nil {
			return nil, fail(CodeBadWeights, "%s: metadata %s: %v", f.Source, openset.PriorKey, err)
		}
	}
	return New(encoder, opt)
}

// New returns a learner with an encoder of this module, such as that of another learner (Encoder).
// Other programs cannot implement encoders: they use Open for weights files, and NewFromFeatures for
// features of their own networks. New runs the encoder once, to test it and to get the shape of its
// embeddings.
//
// # Errors
//
// CodeBadArgument for a method that is invalid or not in the kit and for preprocessing that is out of
// range, CodeBadWeights for an encoder that fails.
func New(encoder embed.Encoder, opt Options) (*Learner, error) {
	return begin(&network{encoder: encoder, workspace: new(workspace)}, opt)
}

// begin completes a network with an encoder, and returns its learner.
func begin(n *network, opt Options) (*Learner, error) {
	opt = opt.complete()
	meta := n.encoder.Meta()
	if opt.Preprocess == (imaging.Preprocess{}) {
		opt.Preprocess = imaging.Preprocess{Size: meta.InputSize, Mean: meta.Mean, Std: meta.Std}
	}
	n.preprocess, n.hearing = opt.Preprocess, opt.Hearing
	err := checkPreprocess(opt.Preprocess)
	if err != nil {
		return nil, err
	}
	if n.embedder, err = opt.Kit.Embedder(opt.Method.Embedder); err != nil {
		return nil, fail(CodeBadArgument, "%v", err)
	}
	l, err := newLearner(n, opt)
	if err != nil {
		return nil, err
	}
	return l, n.probe()
}

func checkPreprocess(p imaging.Preprocess) error {
	const most = weights.MaxInputSize
	if p.Size < 1 || p.Size > most || p.Resize < 0 || p.Resize > most {
		return fail(CodeBadArgument, "images of %d pixels, resized to %d: want up to %d", p.Size, p.Resize, most)
	}
	if err := weights.CheckNormalization(p.Mean, p.Std); err != nil {
		return fail(CodeBadArgument, "%v", err)
	}
	return nil
}

// newLearner returns a learner without classes.
func newLearner(n *network, opt Options) (*Learner, error) {
	m := &Model{net: n, opt: opt, number: revisions.Add(1)}
	if err := m.configure(opt.Method, opt.Tuning); err != nil {
		return nil, err
	}
	l := new(Learner)
	l.model.Store(m)
	return l, nil
}

// WithMethod returns a learner without classes, with the same network and options and another
// method.
//
// # Errors
//
// The same as New.
func (l *Learner) WithMethod(m method.Method) (*Learner, error) {
	now := l.Model()
	n, opt := *now.net, now.opt
	opt.Method = m
	if n.encoder != nil {
		n.Lock()
		defer n.Unlock()
		return begin(&n, opt)
	}
	opt = opt.complete()
	opt.Method.Embedder = now.opt.Method.Embedder
	return newLearner(&n, opt)
}

// Model returns a snapshot of the learner.
//
//go:noinline
func (l *Learner) Model() *Model {
	m := l.model.Load()
	if m == nil { // inlined, it would make the page's engine larger
		panic("learner: the zero Learner has no network: call Open, New or NewFromFeatures")
	}
	return m
}

// edit locks the workspace and changes a copy of the model. The copy replaces the model unless
// change returns an error.
func (l *Learner) edit(change func(m *Model) error) error {
	lock := l.Model().net.workspace // of all models
	lock.Lock()
	defer lock.Unlock()
	next := *l.Model()
	next.number = revisions.Add(1)
	if err := change(&next); err != nil {
		return err
	}
	l.model.Store(&next)
	return nil
}

// Info describes the network.
func (l *Learner) Info() Info {
	info := l.Model().net.info
	info.Widths = slices.Clone(info.Widths)
	return info
}

// Method returns the method.
func (l *Learner) Method() method.Method { return l.Model().opt.Method.Complete() }

// Preprocess returns the preprocessing of images.
func (l *Learner) Preprocess() imaging.Preprocess { return l.Model().net.preprocess }

// Digest returns Options.Digest.
func (l *Learner) Digest() string { return l.Model().opt.Digest }

// Encoder returns the network and the embedder, or nil for a learner of features. A program that
// uses them must not call the learner and its models at the same time.
func (l *Learner) Encoder() (embed.Encoder, embed.Embedder) {
	n := l.Model().net
	return n.encoder, n.embedder
}

// Prior returns the prior for unknown images: Options.Prior, or the default for its zero value.
func (l *Learner) Prior() openset.Prior { return l.Model().opt.Prior }

// IsAudio reports whether the learner takes sounds.
func (l *Learner) IsAudio() bool { return l.Model().net.hearing != nil }

// TakesFeatures reports whether the learner was made by NewFromFeatures and has no network.
func (l *Learner) TakesFeatures() bool { return l.Model().net.encoder == nil }

// Configure changes the classifier, the node weights, the solver, the temperature, the
// balance and the rule for unknown images. It keeps the examples and the embedder, even if
// the method names another embedder.
//
// # Errors
//
// CodeBadArgument. An error leaves the learner unchanged.
func (l *Learner) Configure(m method.Method, t Tuning) error {
	return l.edit(func(next *Model) error { return next.configure(m, t) })
}

// configure implements Configure.
func (m *Model) configure(to method.Method, t Tuning) error {
	to = to.Complete()
	to.Embedder = m.opt.Method.Embedder.Complete()
	classifier, err := m.opt.Kit.Classifier(to, t)
	if err != nil {
		return fail(CodeBadArgument, "%v", err)
	}
	matcher, err := m.opt.Kit.Matcher(to)
	if err != nil {
		return fail(CodeBadArgument, "%v", err)
	}
	same := m.opt.Method
	same.Strangers = to.Strangers
	keeps := m.classifier != nil && t == m.opt.Tuning && same.Equal(to)
	m.opt.Method, m.opt.Tuning = to, t
	if keeps { // the fitted classifier, and its refinement
		return nil
	}
	m.classifier, m.explainer, m.calibrated = classifier, &explainer{matcher: matcher}, nil
	m.revise()
	return nil
}

// explainer matches images with single examples, and reuses its memory.
type explainer struct {
	matcher match.Matcher
	query   match.Prepared
}
