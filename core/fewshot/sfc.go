package fewshot

import (
	"cmp"
	"errors"
	"math"

	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/match"
	"github.com/deepemd/deepemd/core/method"
)

// SFC is the structured fully connected layer (DeepEMD, section 3.5): Prototype
// with sets of nodes that are learned. They start as the means of the classes'
// examples. Then gradient descent on the cross-entropy of the examples changes
// them, with the network fixed, through the similarities of matched nodes, for the
// current flow and weights, as in the reference. The settings of its Descent are
// 100 passes in batches of 4, momentum and dampening 0.9, as in the authors' evaluation, and
// the rate that Rate gives.
//
// All classes count the same in training, whatever their numbers of examples.
//
// The zero value is ready for use.
type SFC struct {
	plain

	// Matcher matches pictures with prototypes; its settings may be changed until
	// Fit. A Grouping, which merges nodes, cannot be learned through.
	Matcher match.Matcher
	// Rate is the learning rate for features like the authors'; 0 stands for
	// method.SFCRate. The cost is a cosine, whose gradient shrinks with the length of the
	// features: for others, the rate grows with the mean square of the lengths of the
	// prototypes' nodes, so that it does not depend on the features' scale.
	Rate float64
	// Descent says how the prototypes are learned. Its Rate, unless 0, is an absolute learning
	// rate and replaces Rate.
	Descent Descent
	// Progress, unless nil, is called by Fit before each batch, and at the end, with the
	// number of complete passes. In between, the classifier answers with what it has
	// learned so far. If Progress returns an error, Fit stops and returns it.
	Progress func(done, total int) error

	supports   supports
	descent    Descent
	prototypes []*embed.Set // by class
	examples   []*match.Prepared
	labels     []int          // of the examples
	balance    []float64      // by class
	learning   []learned      // by class
	memories   []match.Memory // of the match of each example with each class
	logits     []float64      // of the present example
}

// learned is the working memory of one class.
type learned struct {
	velocity []float32 // [N·C]; nil before the first step
	pull     []float32 // gradient by unit nodes, then by nodes
	flow     []float64 // of the present example's match
}

// sfcDescent is the reference's, but for the rate.
var sfcDescent = Descent{Momentum: 0.9, Dampening: 0.9, Batch: 4, Passes: 100}

// authorsSquare is the mean square of the lengths of the prototypes' nodes in the authors'
// six 5-shot episodes (their ResNet-12 of CIFAR-FS at 84 pixels; the conformance suite
// compares with them), for which Rate is the rate.
const authorsSquare = 97

// Fit implements Classifier. All examples of a class must have the same number
// of nodes.
//
// An invalid Descent or weighting is an error, too, and so is training that diverges. Fit
// returns the error of Progress.
func (s *SFC) Fit(classes []Class) error {
	err := s.start(classes)
	if err == nil {
		err = s.learn()
	}
	if err != nil {
		s.supports.sets = nil
	}
	return err
}

// learn takes every example once in each pass.
func (s *SFC) learn() error {
	progress := s.Progress
	if progress == nil {
		progress = func(int, int) error { return nil }
	}
	for pass := range s.descent.Passes {
		for _, batch := range s.descent.batches(pass, len(s.examples)) {
			if err := progress(pass, s.descent.Passes); err != nil {
				return err
			}
			if err := s.step(batch); err != nil {
				return err
			}
		}
	}
	for _, sets := range s.supports.sets {
		sets[0].Pack() // from now on queries change
	}
	return progress(s.descent.Passes, s.descent.Passes)
}

// start is Fit up to the first pass.
func (s *SFC) start(classes []Class) error {
	s.supports.sets, s.examples, s.labels = nil, nil, nil
	if _, ok := s.Matcher.Weighting.(match.Grouping); ok {
		return errors.New("fewshot: nodes that are merged cannot be learned: take another weighting, or the prototype classifier")
	}
	total := 0
	for _, class := range classes {
		total += len(class.Support)
	}
	s.prototypes = make([]*embed.Set, 0, len(classes))
	err := s.supports.prepare(&s.Matcher, classes, func(class Class) ([]*embed.Set, error) {
		mean, err := averageOf(class)
		if err != nil {
			return nil, err
		}
		s.prototypes = append(s.prototypes, &mean.set)
		return []*embed.Set{&mean.set}, nil
	})
	if err != nil {
		return err
	}
	own := sfcDescent
	own.Rate = cmp.Or(s.Rate, method.SFCRate) * meanSquare(s.prototypes) / authorsSquare
	s.descent = s.Descent.or(own)
	if err := s.descent.check(total); err != nil {
		return err
	}
	return s.load(classes)
}

// meanSquare is the mean square of the lengths of the sets' nodes.
func meanSquare(sets []*embed.Set) float64 {
	nodes, sum := 0, 0.0
	for _, set := range sets {
		nodes += set.N
		for _, v := range set.Data {
			sum += float64(v) * float64(v)
		}
	}
	return sum / float64(nodes)
}

// load prepares the examples and the working memory. Of the two sides of a match
// the examples are packed, since prototypes change with every step.
func (s *SFC) load(classes []Class) error {
	s.learning, s.balance = make([]learned, len(classes)), balance(classes)
	for i, class := range classes {
		for j, set := range class.Support {
			example := new(match.Prepared)
			if err := s.Matcher.Reset(example, set); err != nil {
				return exampleError(class, j, err)
			}
			example.Pack()
			s.examples, s.labels = append(s.examples, example), append(s.labels, i)
		}
		s.learning[i].pull = make([]float32, len(s.prototypes[i].Data))
	}
	s.memories = make([]match.Memory, len(s.examples)*len(classes))
	return nil
}

// step learns from a batch of examples.
func (s *SFC) step(batch []int) error {
	for i := range s.learning {
		clear(s.learning[i].pull)
	}
	for _, at := range batch {
		example := s.examples[at]
		memories := s.memories[at*len(s.learning):]
		s.logits = s.logits[:0]
		for i, sets := range s.supports.sets {
			pairing, err := s.Matcher.Pair(example, sets[0])
			if err != nil {
				return err
			}
			found, err := pairing.SolveFrom(&memories[i])
			if err != nil {
				return err
			}
			s.logits = append(s.logits, found.Score)
			s.learning[i].flow = append(s.learning[i].flow[:0], found.Flow...)
		}
		class := s.labels[at]
		slopes(s.logits, class, s.balance[class]/float64(len(batch)))
		for i, slope := range s.logits {
			if math.Abs(slope) < negligible {
				continue
			}
			l := &s.learning[i]
			s.Matcher.Backward(l.pull, example, s.supports.sets[i][0], l.flow, slope)
		}
	}
	for i := range s.learning {
		if err := s.update(i); err != nil {
			return err
		}
	}
	return nil
}

// update takes a step with a class's prototype.
func (s *SFC) update(class int) error {
	l, prepared, data := &s.learning[class], s.supports.sets[class][0], s.prototypes[class].Data
	prepared.Backward(l.pull)
	l.step(s.descent, data)
	return s.Matcher.Reset(prepared, s.prototypes[class])
}

// negligible is less than any float32 feature would notice. Slopes of examples that
// are certain, and velocities without a pull, shrink below the normal numbers, with
// which processors are a hundred times slower: they become zero before.
const negligible = 1e-20

// step is that of velocity, for features: in float32.
func (l *learned) step(d Descent, data []float32) {
	rate, momentum, decay, damped := float32(d.Rate), float32(d.Momentum), float32(d.Decay), float32(1-d.Dampening)
	if l.velocity == nil {
		l.velocity, momentum, damped = make([]float32, len(data)), 0, 1
	}
	velocity, pull := l.velocity[:len(data)], l.pull[:len(data)]
	for k, w := range data {
		v := momentum*velocity[k] + damped*(pull[k]+decay*w)
		v = v + negligible - negligible
		velocity[k] = v
		data[k] = w - rate*v
	}
}

// Scores implements Classifier.
func (s *SFC) Scores(dst []float64, query *embed.Set) ([]float64, error) {
	return s.supports.scores(&s.Matcher, dst, query, only)
}

// Prototypes returns the learned sets of nodes, one of each class; nil before Fit. They must not be modified.
func (s *SFC) Prototypes() []*embed.Set {
	if s.supports.sets == nil {
		return nil
	}
	return s.prototypes
}
