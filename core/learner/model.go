package learner

import (
	"cmp"
	"slices"
	"sync/atomic"
	"time"

	"github.com/deepemd/deepemd/core/answer"
	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/fewshot"
)

// Model is a snapshot of a learner, which Learner.Model returns. Later changes of the learner do not
// affect its answers. It is safe for concurrent use. Models share the network of their learner, which
// embeds one image at a time on all processors; concurrent calls decode their files at the same time.
// Callers may keep the results.
type Model struct {
	net *network
	opt Options

	number  uint64   // unique; answers refer to their model by it, so that they do not keep it in memory
	classes []*class // in the order of their addition
	// revision identifies the examples that scores depend on; background identifies the
	// background examples.
	revision, background uint64

	// The workspace guards the other fields, which are computed on first use.
	fitted     []*class           // the classes of the classifier, in its order
	classifier fewshot.Classifier // replaced instead of fitted again
	stale      bool               // classes changed since the classifier was fitted
	refined    *fewshot.SFC       // replaces the classifier in answers, see Refine
	former     *fewshot.SFC       // the previous value of refined
	calibrated *calibrated        // the latest calibration, perhaps for earlier examples
	explainer  *explainer
}

// Answer is the classification of an image, with the data that explains it. Seen is set, except for an
// embedding without an image; Explanation is nil: see Model.Explain.
type Answer struct {
	answer.Answer
	// Embedding holds the local embeddings of the image.
	Embedding *embed.Set

	by     uint64 // the number of the model
	live   bool
	match  []float64       // Prototype's scores of the classes; nil for other classifiers
	shares []answer.Shares // the parts of the logits
}

// check rejects the zero value.
func (a *Answer) check() error {
	if a == nil || a.by == 0 {
		return fail(CodeBadArgument, "the answer is empty: pass one that Classify returned")
	}
	return nil
}

// Classify scores an image against every enabled class with examples. The answer has a verdict
// if the method reports unknown images or if there are background examples. Classify waits
// until the classifier has learned from all examples.
//
// # Errors
//
// CodeEmpty before the first example; CodeBadImage, CodeBadSound, CodeSilent;
// CodeBadArgument for an invalid embedding.
func (m *Model) Classify(p Picture) (*Answer, error) { return m.classify(p, false) }

// ClassifyLive is Classify for an image of a stream. It does not wait: until Learn ends, the
// classifier may lack the latest examples, and verdicts may use an earlier calibration.
func (m *Model) ClassifyLive(p Picture) (*Answer, error) { return m.classify(p, true) }

func (m *Model) classify(p Picture, live bool) (*Answer, error) {
	begin := time.Now()
	in := m.net.open(p)
	opened := time.Since(begin)
	m.net.Lock()
	defer m.net.Unlock()
	if err := m.fit(); err != nil {
		return nil, err
	}
	begin = time.Now()
	s, err := m.see(in)
	if err != nil {
		return nil, err
	}
	embedded := opened + time.Since(begin)
	a, err := m.score(s.set, live)
	if err != nil {
		return nil, err
	}
	a.Seen, a.Second, a.EmbedMS = (*answer.Image)(s.view), s.second, milliseconds(embedded)
	if m.opt.Method.Strangers.Name || len(m.enabled(true)) > 0 {
		if a.Verdict, err = m.verdict(a); err != nil {
			return a, err
		}
		if !m.opt.Method.Strangers.Name { // only background examples reject
			if a.Verdict.Unknown = a.Verdict.Nothing != ""; !a.Verdict.Unknown {
				a.Verdict.Known = 1
			}
		}
		for i := range a.Scores {
			a.Scores[i].Score *= a.Verdict.Known
		}
		a.Verdict.Together = !a.Verdict.Unknown && a.Scores[0].Score < 1-a.Verdict.Known
	}
	return a, err
}

// ClassifyExample classifies an example like ClassifyLive, without a pass through the network
// and without a verdict. It does not leave the example out of its class; Review does.
//
// # Errors
//
// CodeUnknownExample; CodeEmpty if no enabled class has examples.
func (m *Model) ClassifyExample(id string) (*Answer, error) {
	c, i := m.example(id)
	if c < 0 {
		return nil, fail(CodeUnknownExample, "there is no example %q: was it removed?", id)
	}
	m.net.Lock()
	defer m.net.Unlock()
	if err := m.fit(); err != nil {
		return nil, err
	}
	e := m.classes[c].examples[i]
	set := *e.set
	set.Data, set.Regions, set.Summary = slices.Clone(set.Data), slices.Clone(set.Regions), slices.Clone(set.Summary)
	a, err := m.score(&set, true)
	if err == nil && e.seen != nil {
		a.Seen = &answer.Image{Width: e.seen.Width, Height: e.seen.Height, Pix: slices.Clone(e.seen.Pix)}
	}
	return a, err
}

// see reads and embeds an image, and checks that the model can match a given embedding.
func (m *Model) see(p input) (*preparedImage, error) {
	s, err := m.net.see(p)
	if err == nil && p.Embedding != nil {
		if err := m.explainer.matcher.Reset(&m.explainer.query, s.set); err != nil {
			return nil, fail(CodeBadArgument, "the features cannot be matched: %v", err)
		}
	}
	return s, err
}

// score classifies local embeddings.
func (m *Model) score(query *embed.Set, live bool) (*Answer, error) {
	begin := time.Now()
	d := &m.net.detail
	if err := m.detail(d, query, live); err != nil {
		return nil, err
	}
	a := &Answer{Answer: answer.Answer{MatchMS: milliseconds(time.Since(begin))}, Embedding: query, by: m.number, live: live}
	m.net.probs = fewshot.Softmax(m.net.probs, d.Scores)
	a.Scores = make([]answer.Score, len(m.fitted))
	for i, c := range m.fitted {
		a.Scores[i] = answer.Score{ID: c.id, Label: c.label, Score: m.net.probs[i], Logit: d.Scores[i], Bound: len(d.Bounded) > 0 && d.Bounded[i]}
	}
	slices.SortStableFunc(a.Scores, func(a, b answer.Score) int { return cmp.Compare(b.Logit, a.Logit) })
	if !m.opt.Tuning.Skip { // otherwise some scores are bounds
		a.match = append(a.match, d.Match...)
	}
	for i, head := range d.Head {
		a.shares = append(a.shares, answer.Shares{ClassID: m.fitted[i].id, Label: m.fitted[i].label, Match: d.Scores[i] - head, Head: head})
	}
	return a, nil
}

// detail scores an image with the classifier or the refined classes.
func (m *Model) detail(d *fewshot.Detail, query *embed.Set, live bool) (err error) {
	by := m.classifier
	if m.refined != nil {
		by = m.refined
	}
	traits := by.Traits()
	if !live && traits.Student != nil {
		if err := traits.Student.Learn(nil); err != nil {
			return err
		}
	}
	if traits.Detailer != nil {
		return traits.Detailer.Detail(d, query)
	}
	d.Bounded, d.Match, d.Head = d.Bounded[:0], d.Match[:0], d.Head[:0]
	d.Scores, err = by.Scores(d.Scores, query)
	return err
}

// Revision identifies the model's examples and method. Models with the same revision give the same
// scores, except for refined classes.
func (m *Model) Revision() uint64 { return m.revision }

// revisions counts the revisions and the models of all learners.
var revisions atomic.Uint64

// appendExample appends an example to a class, and extends the classifier if possible.
func (m *Model) appendExample(i int, e *example) {
	before := m.classes[i]
	c := *before
	c.examples = append(c.examples, e)
	if c.disabled || c.background {
		m.changedIn(&c)
	} else {
		m.revision, m.refined, m.former = revisions.Add(1), nil, nil
		if !m.stale && !m.extend(before, &c, e.set) {
			m.stale = true
		}
	}
	m.replace(i, &c)
}

// extend replaces the classifier by a copy with a new example. It reports whether this
// succeeded.
func (m *Model) extend(before, after *class, set *embed.Set) bool {
	traits := m.classifier.Traits()
	if traits.Extender == nil || len(m.fitted) == 0 {
		return false
	}
	at := slices.Index(m.fitted, before)
	if at < 0 {
		if traits.Student != nil {
			return false // only Fit passes it the names of the classes
		}
		at = len(m.fitted)
	}
	fork := traits.Extender.Fork()
	if fork.Traits().Extender.Extend(at, set) != nil {
		return false // fit reports the error
	}
	if m.classifier = fork; at == len(m.fitted) {
		m.fitted = append(slices.Clip(m.fitted), after)
	}
	return true
}

// revise starts a new revision, and discards the refinement.
func (m *Model) revise() {
	m.revision, m.stale, m.refined, m.former = revisions.Add(1), true, nil, nil
}

// changedIn starts a new revision of the examples or of the background examples. Nothing depends
// on the examples of a disabled class.
func (m *Model) changedIn(c *class) {
	switch {
	case c.disabled:
	case c.background:
		m.background = revisions.Add(1)
	default:
		m.revise()
	}
}

// fit fits the classifier to the classes if they have changed.
func (m *Model) fit() (err error) {
	if m.stale {
		fitted := m.enabled(false)
		if len(fitted) > 0 {
			classifier := m.classifier
			if extender := classifier.Traits().Extender; extender != nil {
				classifier = extender.Fork() // reuses the results of earlier examples
			} else if classifier, err = m.opt.Kit.Classifier(m.opt.Method, m.opt.Tuning); err != nil {
				return err
			}
			if err := classifier.Fit(supportOf(fitted)); err != nil {
				return err
			}
			m.classifier = classifier
		}
		m.fitted, m.stale = fitted, false
	}
	if len(m.fitted) == 0 {
		return fail(CodeEmpty, "no examples yet: add at least one example of a class, then classify")
	}
	return nil
}

// support returns the examples of the fitted classes.
func (m *Model) support() []fewshot.Class { return supportOf(m.fitted) }

// supportOf returns the examples of classes.
func supportOf(classes []*class) []fewshot.Class {
	support := make([]fewshot.Class, len(classes))
	for i, c := range classes {
		support[i].Name = c.id
		for _, e := range c.examples {
			support[i].Support = append(support[i].Support, e.set)
		}
	}
	return support
}

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
