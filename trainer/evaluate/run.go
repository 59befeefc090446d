// Package evaluate measures a network and a classifier by the field's protocol: the mean accuracy
// over many few-shot episodes, with a 95% confidence interval (DeepEMD, section 4).
//
// An image occurs in many episodes, so evaluation has two steps: Extract embeds every image once,
// and Run classifies the queries of each episode. Results do not depend on the number of threads.
package evaluate

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/fewshot"
	"github.com/deepemd/deepemd/internal/cluster"
	"github.com/deepemd/deepemd/trainer/data"
)

// Config specifies how to classify episodes.
type Config struct {
	Way int
	// Classifier returns a classifier for each episode: what one keeps of earlier episodes (see
	// [fewshot.RidgeHead.Fit]) would change rounding.
	Classifier func() fewshot.Classifier
	// Threads limits the goroutines; 0 for all cores.
	Threads int
	// Progress shows the number of finished episodes.
	Progress Shown
}

// Result is the result of episodes, in their order.
type Result struct {
	// Way is the number of classes of an episode.
	Way int
	// Logits, [episodes][queries·Way], are the scores of each episode's queries.
	Logits [][]float32
	// Accuracies, [episodes], are the shares of correctly classified queries.
	Accuracies []float64
	// Mean is the mean accuracy, and Interval half the width of its 95% confidence interval.
	Mean, Interval float64
	// Fitting and Scoring are the classifier's times for all supports and all queries, summed over
	// goroutines.
	Fitting, Scoring time.Duration
}

// Run classifies the queries of every episode. The i-th support image and the i-th query belong to
// class i mod Way, as in the reference. The ranks of the context's group (cluster.Of) share the
// episodes, and each rank returns the results of all episodes; times are summed over ranks.
//
// It returns an error for an episode whose support does not make Way classes (see
// [data.Episode.ByClass]) and for an image without features, the errors of the classifier, and the
// context's error if it is canceled.
func Run(ctx context.Context, features Features, episodes []data.Episode, config Config) (*Result, error) {
	if config.Way < 1 {
		return nil, fmt.Errorf("evaluate: %d-way episodes: want at least one class", config.Way)
	}
	if err := sameItems(ctx, "episodes", len(episodes), episodes); err != nil {
		return nil, err
	}
	outcomes, err := inParallel(ctx, "episode", len(episodes), config.Threads, config.Progress, func() func(int) (classified, error) {
		w := worker{features: features, way: config.Way}
		return func(i int) (classified, error) {
			w.classifier = config.Classifier()
			return w.episode(episodes[i])
		}
	})
	if err != nil {
		return nil, err
	}
	result := &Result{Way: config.Way}
	for _, c := range outcomes {
		result.Logits, result.Accuracies = append(result.Logits, c.Logits), append(result.Accuracies, c.Accuracy)
		result.Fitting, result.Scoring = result.Fitting+c.Fitting, result.Scoring+c.Scoring
	}
	result.Mean, result.Interval = Interval(result.Accuracies)
	return result, nil
}

// classified is the result of one episode.
type classified struct {
	Logits           []float32 // of the queries, [queries·way]
	Accuracy         float64   // the share of correct queries
	Fitting, Scoring time.Duration
}

type worker struct {
	features   Features
	way        int
	classifier fewshot.Classifier
	scores     []float64
}

func (w *worker) episode(e data.Episode) (c classified, err error) {
	classes, err := w.classes(e)
	if err != nil {
		return c, err
	}
	began := time.Now()
	if err := w.classifier.Fit(classes); err != nil {
		return c, err
	}
	fitted := time.Now()
	c.Fitting = fitted.Sub(began)
	c.Logits = make([]float32, 0, len(e.Query)*w.way)
	right := 0
	for i, name := range e.Query {
		query, err := w.set(name)
		if err != nil {
			return c, err
		}
		if w.scores, err = w.classifier.Scores(w.scores, query); err != nil {
			return c, fmt.Errorf("%s: %w", name, err)
		}
		for _, s := range w.scores {
			c.Logits = append(c.Logits, float32(s))
		}
		if fewshot.Best(w.scores) == i%w.way {
			right++
		}
	}
	c.Scoring = time.Since(fitted)
	c.Accuracy = float64(right) / float64(max(len(e.Query), 1))
	return c, nil
}

// classes returns the support of an episode by class.
func (w *worker) classes(e data.Episode) ([]fewshot.Class, error) {
	support, err := e.ByClass(w.way)
	if err != nil {
		return nil, err
	}
	classes := make([]fewshot.Class, w.way)
	for c, names := range support {
		classes[c].Name = names[0] // for error messages: episodes do not name their classes
		for _, name := range names {
			set, err := w.set(name)
			if err != nil {
				return nil, err
			}
			classes[c].Support = append(classes[c].Support, set)
		}
	}
	return classes, nil
}

func (w *worker) set(name string) (*embed.Set, error) {
	set, ok := w.features[name]
	if !ok {
		return nil, fmt.Errorf("%s: its features were not extracted", name)
	}
	return set, nil
}

// inParallel processes n episodes or queries on several goroutines (0: one per processor) and
// returns all outcomes in order. It processes a rank's share and collects the others. Each
// goroutine calls start, which returns a function that measures the i-th item.
//
// It returns the first error with the item's number, or the context's error.
func inParallel[T any](ctx context.Context, what string, n, threads int, progress Shown, start func() (measure func(i int) (T, error))) ([]T, error) {
	g := cluster.Of(ctx)
	from, to := cluster.Share(g, n)
	outcomes := make([]T, n)
	var telling sync.Mutex
	done := 0
	var begun atomic.Int64
	next := func() int { return from + int(begun.Add(1)) - 1 }
	err := progress.run(g, n, func(progress Progress) error {
		work, working := errgroup.WithContext(ctx)
		for range min(cmp.Or(max(threads, 0), runtime.GOMAXPROCS(0)), max(to-from, 1)) {
			work.Go(func() error {
				measure := start()
				for i := next(); i < to; i = next() {
					err := working.Err()
					if err != nil {
						return err
					}
					if outcomes[i], err = measure(i); err != nil {
						return fmt.Errorf("%s %d: %w", what, i+1, err)
					}
					telling.Lock()
					done++
					progress(done, to-from)
					telling.Unlock()
				}
				return nil
			})
		}
		return work.Wait()
	})
	return outcomes, cluster.Gather(ctx, outcomes, err)
}

// Gather gives every rank of the context's group the features of all ranks. Each rank passes its own
// (cluster.Share), or the error that prevented them. Gather returns the error of the first rank that
// has one.
func Gather(ctx context.Context, features Features, err error) (Features, error) {
	g := cluster.Of(ctx)
	parts := make([]Features, g.Size())
	parts[g.Rank()] = features
	if err := cluster.Gather(ctx, parts, err); err != nil {
		return nil, err
	}
	for _, part := range parts {
		maps.Copy(features, part)
	}
	return features, nil
}
