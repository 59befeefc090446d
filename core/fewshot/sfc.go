package fewshot

import (
	"cmp"
	"errors"
	"math"

	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/match"
	"github.com/deepemd/deepemd/core/method"
)

// SFC is the structured fully connected layer (DeepEMD, section 3.5): a Prototype with learned
// sets of nodes. The sets start as the means of the classes' examples. Gradient descent on the
// cross-entropy of the examples changes them, with a frozen network. As in the reference, the
// gradient passes through the similarities of matched nodes, not through the flow and the
// weights. The default Descent has 100 passes, batches of 4, momentum and dampening 0.9, as in
// the authors' evaluation, and the rate of Rate.
//
// All classes have the same weight in training, regardless of their numbers of examples.
//
// The zero value is ready for use.
type SFC struct {
	// Matcher matches images with prototypes. Its settings may change until Fit. Its weighting
	// must not be a Grouping, which merges nodes.
	Matcher match.Matcher
	// Rate is the learning rate for features on the authors' scale; the default is
	// method.SFCRate. Fit multiplies it by the mean squared length of the prototypes' nodes,
	// relative to the authors' features. This makes training independent of the features'
	// scale, because the gradient of a cosine shrinks with the length of the features.
	Rate float64
	// Descent configures the training. Its Rate, unless 0, is an absolute learning rate and
	// replaces Rate.
	Descent Descent
	// Progress, unless nil, is called by Fit before each batch and at the end, with the
	// number of complete passes. It may call Scores, which uses the current prototypes. If
	// Progress returns an error, Fit stops and returns it.
	Progress func(done, total int) error

	supports   supports
	descent    Descent
	prototypes []*embed.Set // by class
	examples   []*match.Prepared
	labels     []int // the class of each example
	loss       Loss
	learning   []learned      // by class
	memories   []match.Memory // [examples, classes], for warm starts
	logits     []float64      // scores of the current example
}

// learned is the working memory of one class.
type learned struct {
	velocity []float32 // [N·C]; nil before the first step
	pull     []float32 // gradient with respect to the unit nodes, then to the nodes
	flow     []float64 // flow of the current example's match
}

// sfcDescent holds the settings of the reference, except the rate.
var sfcDescent = Descent{Momentum: 0.9, Dampening: 0.9, Batch: 4, Passes: 100}

// authorsSquare is the mean squared length of the prototypes' nodes in the authors' six 5-shot
// episodes of the conformance suite (their ResNet-12 for CIFAR-FS at 84 pixels).
const authorsSquare = 97

// Fit implements Classifier. All examples of a class must have the same number
// of nodes.
//
// Fit also returns an error for an invalid Descent, a Grouping and training that diverges, and
// the error of Progress.
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

// learn runs all passes of training.
func (s *SFC) learn() error {
	progress := s.Progress
	if progress == nil {
		progress = func(int, int) error { return nil }
	}
	err := s.descent.Run(len(s.examples), func(pass int, batch []int) error {
		if err := progress(pass, s.descent.Passes); err != nil {
			return err
		}
		return s.step(batch)
	})
	if err != nil {
		return err
	}
	for _, sets := range s.supports.sets {
		sets[0].Pack() // prototypes are final
	}
	return progress(s.descent.Passes, s.descent.Passes)
}

// start prepares the training.
func (s *SFC) start(classes []Class) (err error) {
	s.supports.sets, s.examples, s.labels = nil, nil, nil
	if _, ok := s.Matcher.Weighting.(match.Grouping); ok {
		return errors.New("fewshot: the weighting merges nodes, which cannot be trained: use another weighting, or the prototype classifier")
	}
	s.prototypes = make([]*embed.Set, 0, len(classes))
	s.supports.sets, err = Prepare(&s.Matcher, classes, func(class Class) ([]*embed.Set, error) {
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
	own.Rate = cmp.Or(s.Rate, method.SFCRate) * cmp.Or(meanSquare(s.prototypes), authorsSquare) / authorsSquare
	s.descent = s.Descent.Or(own)
	s.learning, s.loss = make([]learned, len(classes)), NewLoss(classes)
	for i, class := range classes {
		for j, set := range class.Support {
			example := new(match.Prepared)
			if err := s.Matcher.Reset(example, set); err != nil {
				return exampleError(class, j, err)
			}
			example.Pack() // because the prototypes change with every step
			s.examples, s.labels = append(s.examples, example), append(s.labels, i)
		}
		s.learning[i].pull = make([]float32, len(s.prototypes[i].Data))
	}
	s.memories = make([]match.Memory, len(s.examples)*len(classes))
	return nil
}

// meanSquare returns the mean squared length of the sets' nodes.
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

// step updates all prototypes with a batch of examples.
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
		s.loss.Slopes(s.logits, s.labels[at], len(batch))
		for i, slope := range s.logits {
			if math.Abs(slope) < negligible {
				continue
			}
			l := &s.learning[i]
			s.Matcher.Backward(l.pull, example, s.supports.sets[i][0], l.flow, slope)
		}
	}
	for i, prototype := range s.prototypes {
		l, prepared := &s.learning[i], s.supports.sets[i][0]
		prepared.Backward(l.pull)
		l.step(s.descent, prototype.Data)
		if err := s.Matcher.Reset(prepared, prototype); err != nil {
			return err
		}
	}
	return nil
}

// negligible is below the resolution of float32 features. Slopes of certain examples, and
// velocities without a gradient, shrink toward denormal numbers, which are a hundred times
// slower to process. Smaller values are set to zero.
const negligible = 1e-20

// step takes a step of d, see Descent.
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
	return s.supports.scores(&s.Matcher, dst, query)
}

// Traits implements Classifier. There are no optional operations.
func (s *SFC) Traits() Traits { return Traits{} }

// Prototypes returns the learned set of each class, or nil before Fit. Callers must not
// modify the sets.
func (s *SFC) Prototypes() []*embed.Set {
	if s.supports.sets == nil {
		return nil
	}
	return s.prototypes
}
