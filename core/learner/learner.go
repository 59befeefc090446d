// Package learner recognises what it was taught. A [Learner] holds a network, a
// method (package method), and the classes of one project with their examples. It
// classifies pictures, tells strangers apart, explains its answers, reviews its
// examples and learns further. The page's engine, the command and the tests all use
// it; a Go program begins here.
//
// It reads no files: package keep saves and opens projects. Package hearing makes
// learners of sounds, and Features one without a network, for features that the
// program computes itself.
//
// Build programs with GOEXPERIMENT=simd: without it a picture takes about four
// times as long on amd64, with the same answer (see package core).
package learner

import (
	"cmp"
	"slices"
	"time"

	"github.com/deepemd/deepemd/core"
	"github.com/deepemd/deepemd/core/answer"
	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/fewshot"
	"github.com/deepemd/deepemd/core/imaging"
	"github.com/deepemd/deepemd/core/match"
	"github.com/deepemd/deepemd/core/method"
	"github.com/deepemd/deepemd/internal/kernel"
)

// Learner is a network with the classes it was taught. Make one with Open or New, or
// with Features around features of your own.
//
// It is not safe for concurrent use: one goroutine at a time may call it. Learners
// of one network, see Fresh, share its working memory and count as one. Results
// belong to the caller unless a method says how long they are valid.
type Learner struct {
	opt        Options
	method     method.Method
	encoder    embed.Encoder  // nil in a learner of features
	embedder   embed.Embedder // likewise
	preprocess imaging.Preprocess
	classifier fewshot.Classifier
	info       Info
	positions  []embed.Region // of the nodes of a picture of the network's size, or of features

	classes  []*class // in the order of teaching
	fitted   []*class // those the classifier knows, in its order
	stale    bool     // classes changed since the classifier was fitted
	training training // what Train makes of the classes

	revision  int // counts changes of the examples
	strangers strangers
	growing   growing

	pending  *picture       // whose crops are being encoded elsewhere
	read     *imaging.Image // the picture that was read last, all of it
	original *imaging.Image // see Original

	explainer explainer

	second []float32 // that was heard last

	meter imaging.Meter // of the examples' pictures

	frame    frame              // working memory for reading pixels
	live     embed.Live         // and for embedding them
	hasty    bool               // whether the latest answer may lag behind the examples
	scored   int                // revision of the examples that detail is about
	scoredBy fewshot.Classifier // and what made them
	detail   fewshot.Detail     // working memory of Classify
	probs    []float64
	answer   answer.Answer
}

// class is one class and the local embeddings of its examples.
type class struct {
	id, label string
	examples  []example
	disabled  bool
	nothing   bool // it has no part in scores: see AddNothing
}

type example struct {
	id      string
	set     *embed.Set
	seen    *imaging.Image    // that it was made of; nil in lean learners
	fresh   *imaging.Image    // the same until its looks are measured
	looks   *imaging.Measures // nil without a picture
	support *match.Prepared   // for explanations, nil until one looks at it
	memory  match.Memory      // of the latest
}

// picture is the embedded part of a picture, with the network's inputs.
type picture struct {
	view  *imaging.Image
	crops []embed.Crop
}

// New returns a learner around an encoder. It runs the encoder once, which
// checks that it works and tells the size of its embeddings.
//
// Errors have code "bad-argument" for an invalid method or one that the kit cannot
// make, and "bad-weights" for an encoder that fails.
func New(encoder embed.Encoder, opt Options) (*Learner, error) {
	if opt.Method.IsZero() {
		opt.Method = method.Default()
	}
	meta := encoder.Meta()
	if opt.Preprocess == (imaging.Preprocess{}) {
		opt.Preprocess = imaging.Preprocess{Size: meta.InputSize, Mean: meta.Mean, Std: meta.Std}
	}
	l := &Learner{opt: opt, encoder: encoder, preprocess: opt.Preprocess}
	var err error
	if l.embedder, err = opt.Kit.Embedder(opt.Method.Embedder); err != nil {
		return nil, fail(CodeBadArgument, "%v", err)
	}
	if err := l.Configure(opt.Method, opt.Tuning); err != nil {
		return nil, err
	}
	side := l.preprocess.Size
	blank := &imaging.Image{Width: side, Height: side, Pix: make([]uint8, side*side*3)}
	crops := l.embedder.Crops(l.preprocess, blank)
	one, err := l.embed(crops[:1]) // the others would show no more
	if err == nil {
		_, err = match.Prepare(one) // it can be matched: all is finite
	}
	if err != nil {
		return nil, fail(CodeBadWeights, "the network does not run: %v", err)
	}
	if l.positions = one.Regions; len(crops) > 1 {
		l.positions = l.regions(crops)
	}
	l.info = Info{
		Name:      meta.Name,
		Version:   core.Version,
		Kernels:   kernel.Name(),
		InputSize: side,
		Widths:    meta.Widths,
		Nodes:     one.N * len(crops),
		Channels:  one.C,
		Mean:      l.preprocess.Mean,
		Std:       l.preprocess.Std,
		Inputs:    len(crops),
	}
	return l, nil
}

// Fresh returns a learner without classes, of the same network and options, with a
// method of its own. The two share the network: one goroutine at a time may call
// either.
//
// Errors are those of New.
func (l *Learner) Fresh(m method.Method) (*Learner, error) {
	opt := l.opt
	opt.Method = m
	if l.TakesFeatures() {
		return Features(Shape{Name: l.info.Name, Nodes: l.info.Nodes, Channels: l.info.Channels, Regions: l.positions}, opt)
	}
	return New(l.encoder, opt)
}

// Info says what the learner runs.
func (l *Learner) Info() Info { return l.info }

// Method says how the learner recognises.
func (l *Learner) Method() method.Method { return l.method }

// Preprocess says how pictures reach the network.
func (l *Learner) Preprocess() imaging.Preprocess { return l.preprocess }

// Digest is that of the options.
func (l *Learner) Digest() string { return l.opt.Digest }

// AddClass adds a class without examples. The id must be new and not empty,
// else the error has code "bad-argument".
func (l *Learner) AddClass(id, label string) error {
	return l.add(&class{id: id, label: label})
}

// add adds a class of either kind.
func (l *Learner) add(c *class) error {
	if c.id == "" {
		return fail(CodeBadArgument, "a class needs an id")
	}
	if l.find(c.id) >= 0 {
		return fail(CodeBadArgument, "a class with id %q exists already: choose another id", c.id)
	}
	l.classes = append(l.classes, c)
	return nil
}

// RenameClass changes a class's label. Errors: "unknown-class".
func (l *Learner) RenameClass(id, label string) error {
	c, err := l.class(id)
	if err != nil {
		return err
	}
	c.label = label
	return nil
}

// RemoveClass forgets a class and its examples. Errors: "unknown-class".
func (l *Learner) RemoveClass(id string) error {
	c, err := l.class(id)
	if err != nil {
		return err
	}
	if len(c.examples) > 0 {
		l.changed(c)
	}
	i := l.find(id)
	l.classes = slices.Delete(l.classes, i, i+1)
	return nil
}

// AddExample teaches a class one picture, and computes its embeddings, once. It
// returns the learner's view of the picture: the network's input, or the square
// that crops are cut from; nil for features without a picture.
//
// Errors: "unknown-class", "bad-argument" for an id that is empty or taken and for an
// embedding that cannot be used, given or made by the learner's network: one whose nodes
// are the same in every channel, all of them; "bad-image".
func (l *Learner) AddExample(classID, exampleID string, picture Picture) (*imaging.Image, error) {
	c, err := l.vacancy(classID, exampleID)
	if err != nil {
		return nil, err
	}
	seen, set, err := l.local(picture)
	if err != nil {
		return nil, err
	}
	if seen == nil && !l.TakesFeatures() {
		return nil, fail(CodeBadArgument, "an embedding without its picture can be classified, not taught: give the picture, too")
	}
	if err := checkFlat(set); err != nil {
		return nil, err // the learner's own network has made it
	}
	if err := l.adopt(c, exampleID, set, seen); err != nil {
		return nil, err // a set that cannot be matched would spoil every answer
	}
	l.keepOriginal(seen)
	return seen, nil
}

// RemoveExample forgets an example. Errors: "unknown-example".
func (l *Learner) RemoveExample(id string) error {
	c, i := l.example(id)
	if c == nil {
		return fail(CodeUnknownExample, "there is no example %q: was it removed already?", id)
	}
	c.examples = slices.Delete(c.examples, i, i+1)
	l.changed(c)
	return nil
}

// Classify scores a picture against every class that has examples and, where the
// method names strangers or examples of nothing were taught, says whether it belongs
// to none. The answer is valid until the next call.
//
// Errors: "empty" before the first example, "bad-image", "bad-argument" for an
// embedding that cannot be used.
func (l *Learner) Classify(picture Picture) (*answer.Answer, error) {
	l.hasty = false
	return l.classify(picture)
}

// ClassifyLive is Classify for a picture of a stream: its answer, and what is asked
// about it next, may lag behind the examples by what Options.Patience allows.
func (l *Learner) ClassifyLive(picture Picture) (*answer.Answer, error) {
	l.hasty = l.opt.Patience > 0
	return l.classify(picture)
}

func (l *Learner) classify(picture Picture) (*answer.Answer, error) {
	if err := l.fit(); err != nil {
		return nil, err
	}
	begin := time.Now()
	seen, query, err := l.glance(picture)
	if err != nil {
		return nil, err
	}
	a, err := l.score(query)
	if err != nil {
		return nil, err
	}
	a.Seen = (*answer.Image)(seen)
	a.EmbedMS = milliseconds(time.Since(begin)) - a.MatchMS
	if l.method.Strangers.Name || len(l.nothing()) > 0 {
		err = l.judge(a)
	}
	return a, err
}

// ClassifyExample answers for an example as for a picture, without a pass through
// the network. The example is part of its class here; Review leaves examples out.
// While examples are captured the answer may lag, as those of ClassifyLive.
//
// Errors: "unknown-example".
func (l *Learner) ClassifyExample(id string) (*answer.Answer, error) {
	c, i := l.example(id)
	if c == nil {
		return nil, fail(CodeUnknownExample, "there is no example %q: was it removed?", id)
	}
	if err := l.fit(); err != nil {
		return nil, err
	}
	l.hasty = l.opt.Patience > 0
	a, err := l.score(c.examples[i].set)
	if err != nil {
		return nil, err
	}
	a.Seen = (*answer.Image)(c.examples[i].seen)
	return a, nil
}

// score answers for local embeddings.
func (l *Learner) score(query *embed.Set) (*answer.Answer, error) {
	begin := time.Now()
	if err := l.scores(query); err != nil {
		return nil, err
	}
	took, logits, bounded := time.Since(begin), l.detail.Scores, l.detail.Bounded
	l.probs = fewshot.Softmax(l.probs, logits)

	scores := l.answer.Scores[:0]
	for i, c := range l.fitted {
		scores = append(scores, answer.Score{ID: c.id, Label: c.label, Score: l.probs[i], Logit: logits[i], Bound: len(bounded) > 0 && bounded[i]})
	}
	slices.SortStableFunc(scores, func(a, b answer.Score) int { return cmp.Compare(b.Logit, a.Logit) })
	l.explainer.latest, l.explainer.winner = query, scores[0].ID
	l.answer = answer.Answer{Scores: scores, MatchMS: milliseconds(took)}
	return &l.answer, nil
}

// local returns the embedded part of a picture, and its local embeddings.
func (l *Learner) local(p Picture) (*imaging.Image, *embed.Set, error) {
	switch {
	case p.Embedding != nil:
		return l.given(p)
	case l.TakesFeatures():
		return nil, nil, l.blind()
	case p.Features != nil:
		l.read = nil // nothing lies outside the view
		return l.complete(p.Features)
	}
	cut, err := l.cut(p)
	if err != nil {
		return nil, nil, err
	}
	set, err := l.embed(cut.crops)
	return cut.view, set, err
}

// glance is local for a picture that is not kept. The result is valid until the
// next call; where a picture is one input of the network, glance allocates nothing.
func (l *Learner) glance(p Picture) (*imaging.Image, *embed.Set, error) {
	fcn, whole := l.embedder.(embed.FCN)
	if !whole || p.Embedding != nil {
		return l.local(p)
	}
	img, err := l.perceive(p)
	if err != nil {
		return nil, nil, err
	}
	return l.live.Embed(fcn, l.encoder, l.preprocess, img)
}

// cut reads a picture and cuts it into crops.
func (l *Learner) cut(p Picture) (*picture, error) {
	img, err := l.perceive(p)
	if err != nil {
		return nil, err
	}
	l.read = img
	if l.TakesFeatures() {
		return &picture{view: l.preprocess.Pixels(img)}, nil
	}
	view := l.embedder.View(l.preprocess, img)
	return &picture{view, l.embedder.Crops(l.preprocess, view)}, nil
}

// embed computes the local embeddings of a picture's crops.
func (l *Learner) embed(crops []embed.Crop) (*embed.Set, error) {
	sets, err := embed.Encode(l.embedder, l.encoder, l.preprocess, crops)
	if err != nil {
		return nil, err
	}
	return sets[0], nil
}

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
