package wasm

import (
	"cmp"
	"slices"
	"time"

	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/fewshot"
	"github.com/deepemd/deepemd/core/imaging"
	"github.com/deepemd/deepemd/core/kernel"
	"github.com/deepemd/deepemd/core/match"
	"github.com/deepemd/deepemd/core/quality"
	"github.com/deepemd/deepemd/core/version"
)

// Engine is a network with the classes it was taught. It is not safe for
// concurrent use.
type Engine struct {
	encoder    embed.Encoder
	embedder   embed.Embedder
	preprocess imaging.Preprocess
	classifier fewshot.Classifier
	info       Info
	matching   matching
	positions  []embed.Region // of the nodes of a picture, where they are positions of one map

	classes []*class // in the order of teaching
	fitted  []*class // those the classifier knows, in its order
	stale   bool     // classes changed since the classifier was fitted
	learner learner  // what Train makes of the classes

	revision  int // counts changes of the examples
	strangers strangers

	pending  *picture       // whose crops are being encoded elsewhere
	read     *imaging.Image // the picture that was read last, all of it
	original *imaging.Image // see Original

	explainer explainer

	hearing Hearing   // nil for an engine that sees
	second  []float32 // that was heard last

	frame  frame      // working memory of reading pixels
	live   embed.Live // and of embedding them
	logits []float64  // working memory of Classify
	probs  []float64
	answer Answer
}

// class is one class and the local embeddings of its examples.
type class struct {
	id, label string
	examples  []example
	disabled  bool
}

type example struct {
	id      string
	set     *embed.Set
	looks   quality.Measures
	support *match.Prepared // for explanations, nil until one looks at it
	memory  match.Memory    // of the latest
}

// picture is what is embedded of a picture, and the network's inputs.
type picture struct {
	view  *imaging.Image
	crops []embed.Crop
}

// New returns an engine around an encoder. It runs the encoder once, which
// checks that it works and tells the size of its embeddings.
//
// Errors have code "bad-argument" for unusable options and "bad-weights" for an
// encoder that fails.
func New(encoder embed.Encoder, opt Options) (*Engine, error) {
	matching, err := newMatching(opt)
	if err != nil {
		return nil, err
	}
	classifier, err := newClassifier(opt, matching)
	if err != nil {
		return nil, err
	}
	embedder, err := opt.Embedder.Embedder()
	if err != nil {
		return nil, fail(CodeBadArgument, "%v", err)
	}
	meta := encoder.Meta()
	e := &Engine{
		encoder:    encoder,
		embedder:   embedder,
		preprocess: imaging.Preprocess{Size: meta.InputSize, Mean: meta.Mean, Std: meta.Std},
		classifier: classifier,
		explainer:  explainer{matcher: matching.matcher()},
		matching:   matching,
	}
	blank := &imaging.Image{Width: meta.InputSize, Height: meta.InputSize, Pix: make([]uint8, meta.InputSize*meta.InputSize*3)}
	crops := e.embedder.Crops(e.preprocess, blank)
	one, err := e.embed(crops[:1]) // the others would show no more
	if err == nil {
		_, err = match.Prepare(one) // it can be matched: all is finite
	}
	if err != nil {
		return nil, fail(CodeBadWeights, "the network does not run: %v", err)
	}
	e.positions = one.Regions
	e.info = Info{
		Name:      meta.Name,
		Version:   version.Current,
		Kernels:   kernel.Name(),
		InputSize: meta.InputSize,
		Widths:    meta.Widths,
		Nodes:     one.N * len(crops),
		Channels:  one.C,
		Mean:      meta.Mean,
		Std:       meta.Std,
		Inputs:    len(crops),
	}
	return e, nil
}

// Info says what the engine runs.
func (e *Engine) Info() Info { return e.info }

// AddClass adds a class without examples. The id must be new and not empty,
// else the error has code "bad-argument".
func (e *Engine) AddClass(id, label string) error {
	if id == "" {
		return fail(CodeBadArgument, "a class needs an id")
	}
	if e.find(id) >= 0 {
		return fail(CodeBadArgument, "a class with id %q exists already: choose another id", id)
	}
	e.classes = append(e.classes, &class{id: id, label: label})
	return nil
}

// RenameClass changes a class's label. Errors: "unknown-class".
func (e *Engine) RenameClass(id, label string) error {
	c, err := e.class(id)
	if err != nil {
		return err
	}
	c.label = label
	return nil
}

// RemoveClass forgets a class and its examples. Errors: "unknown-class".
func (e *Engine) RemoveClass(id string) error {
	c, err := e.class(id)
	if err != nil {
		return err
	}
	if len(c.examples) > 0 {
		e.changed()
	}
	i := e.find(id)
	e.classes = slices.Delete(e.classes, i, i+1)
	return nil
}

// AddExample teaches a class one picture and returns what the engine saw of it:
// the network's input, or the square that crops are cut from. The picture's
// embeddings are computed here, once.
//
// Errors: "unknown-class", "bad-argument" for an id that is empty or taken,
// "bad-image".
func (e *Engine) AddExample(classID, exampleID string, picture Picture) (*imaging.Image, error) {
	c, err := e.vacancy(classID, exampleID)
	if err != nil {
		return nil, err
	}
	seen, set, err := e.local(picture)
	if err != nil {
		return nil, err
	}
	if err := e.adopt(c, exampleID, set, seen); err != nil {
		return nil, err // a set that cannot be matched would spoil every answer
	}
	e.keepOriginal(seen)
	return seen, nil
}

// RemoveExample forgets an example. Errors: "unknown-example".
func (e *Engine) RemoveExample(id string) error {
	c, i := e.example(id)
	if c == nil {
		return fail(CodeUnknownExample, "there is no example %q: was it removed already?", id)
	}
	c.examples = slices.Delete(c.examples, i, i+1)
	e.changed()
	return nil
}

// Classify scores a picture against every class that has examples, and also
// returns what the engine saw of it. The answer is valid until the next call.
//
// Errors: "empty" before the first example, "bad-image".
func (e *Engine) Classify(picture Picture) (*Answer, *imaging.Image, error) {
	if err := e.fit(); err != nil {
		return nil, nil, err
	}
	begin := time.Now()
	seen, query, err := e.glance(picture)
	if err != nil {
		return nil, nil, err
	}
	answer, err := e.score(query)
	if err != nil {
		return nil, nil, err
	}
	answer.EmbedMS = milliseconds(time.Since(begin)) - answer.MatchMS
	return answer, seen, nil
}

// ClassifyExample answers for an example as for a picture, without a pass through
// the network: what its class has made of it, and the others.
//
// Errors: "unknown-example".
func (e *Engine) ClassifyExample(id string) (*Answer, error) {
	c, i := e.example(id)
	if c == nil {
		return nil, fail(CodeUnknownExample, "there is no example %q: was it removed?", id)
	}
	if err := e.fit(); err != nil {
		return nil, err
	}
	return e.score(c.examples[i].set)
}

// score answers for local embeddings.
func (e *Engine) score(query *embed.Set) (*Answer, error) {
	begin := time.Now()
	var err error
	if e.logits, err = e.scorer().Scores(e.logits, query); err != nil {
		return nil, err
	}
	took := time.Since(begin)
	e.probs = fewshot.Softmax(e.probs, e.logits)

	scores := e.answer.Scores[:0]
	for i, c := range e.fitted {
		scores = append(scores, Score{ID: c.id, Label: c.label, Score: e.probs[i], Logit: e.logits[i], Bound: e.bounded(i)})
	}
	slices.SortStableFunc(scores, func(a, b Score) int { return cmp.Compare(b.Logit, a.Logit) })
	e.explainer.latest, e.explainer.winner = query, scores[0].ID
	e.answer = Answer{Scores: scores, MatchMS: milliseconds(took)}
	return &e.answer, nil
}

// local returns what is embedded of a picture, and its local embeddings.
func (e *Engine) local(p Picture) (*imaging.Image, *embed.Set, error) {
	if p.Features != nil {
		e.read = nil // what is seen is all there is
		return e.complete(p.Features)
	}
	cut, err := e.cut(p)
	if err != nil {
		return nil, nil, err
	}
	set, err := e.embed(cut.crops)
	return cut.view, set, err
}

// glance is local for a picture that is not kept: the result is valid until the
// next call, and where a picture is one input of the network nothing is allocated.
func (e *Engine) glance(p Picture) (*imaging.Image, *embed.Set, error) {
	fcn, whole := e.embedder.(embed.FCN)
	if !whole {
		return e.local(p)
	}
	img, err := e.perceive(p)
	if err != nil {
		return nil, nil, err
	}
	return e.live.Embed(fcn, e.encoder, e.preprocess, img)
}

// cut reads a picture and takes it apart.
func (e *Engine) cut(p Picture) (*picture, error) {
	img, err := e.perceive(p)
	if err != nil {
		return nil, err
	}
	e.read = img
	view := e.embedder.View(e.preprocess, img)
	return &picture{view, e.embedder.Crops(e.preprocess, view)}, nil
}

// embed computes the local embeddings of a picture's crops.
func (e *Engine) embed(crops []embed.Crop) (*embed.Set, error) {
	sets, err := embed.Encode(e.embedder, e.encoder, e.preprocess, crops)
	if err != nil {
		return nil, err
	}
	return sets[0], nil
}

func (e *Engine) find(id string) int {
	return slices.IndexFunc(e.classes, func(c *class) bool { return c.id == id })
}

func (e *Engine) class(id string) (*class, error) {
	if i := e.find(id); i >= 0 {
		return e.classes[i], nil
	}
	return nil, fail(CodeUnknownClass, "there is no class %q: addClass returns the id to use", id)
}

// example returns the class that owns an example, nil when there is none, and
// the example's place in it.
func (e *Engine) example(id string) (*class, int) {
	for _, c := range e.classes {
		if i := slices.IndexFunc(c.examples, func(ex example) bool { return ex.id == id }); i >= 0 {
			return c, i
		}
	}
	return nil, -1
}

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
