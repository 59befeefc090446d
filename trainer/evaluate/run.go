// Package evaluate measures a network and a classifier by the field's protocol:
// the mean accuracy over many few-shot episodes, with a 95% confidence interval
// (DeepEMD, section 4).
//
// A picture occurs in many episodes, so evaluation has two steps: Extract
// embeds every picture once, Run classifies the queries of each episode with
// what was extracted. Results depend neither on the number of threads nor on
// the order in which episodes end.
package evaluate

import (
	"context"
	"fmt"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/fewshot"
	"github.com/deepemd/deepemd/internal/cluster"
	"github.com/deepemd/deepemd/trainer/data"
)

// Config says how episodes are classified.
type Config struct {
	// Way is the number of classes of an episode.
	Way int
	// Classifier makes a classifier; each goroutine has its own.
	Classifier func() fewshot.Classifier
	// Threads bounds the goroutines; 0 for all cores.
	Threads int
	// Progress is told how many episodes are done.
	Progress Progress
}

// Result is the outcome of episodes, in their order.
type Result struct {
	// Way is the number of classes of an episode.
	Way int
	// Logits, [episodes][queries·Way], are the scores of each episode's queries.
	Logits [][]float32
	// Accuracies, [episodes], are the shares of queries classified rightly.
	Accuracies []float64
	// Mean and Interval are the mean accuracy and half the width of its 95%
	// confidence interval.
	Mean, Interval float64
	// Fitting and Scoring are the time that the classifier took for all support
	// sets and for all queries, added up over goroutines.
	Fitting, Scoring time.Duration
}

// Run classifies the queries of every episode. Episodes are in the order of the
// reference: the i-th support picture and the i-th query belong to class
// i mod Way. The ranks of the context's group (cluster.Of) share the episodes, and all return
// the results of all; times are added up over ranks.
//
// It returns an error for an episode whose support does not make Way classes
// (see [data.Episode.ByClass]), for a picture that was not extracted, those
// of the classifier, and the context's when it is cancelled.
func Run(ctx context.Context, features Features, episodes []data.Episode, config Config) (*Result, error) {
	if config.Way < 1 {
		return nil, fmt.Errorf("evaluate: %d-way episodes: want at least one class", config.Way)
	}
	result := &Result{Way: config.Way}
	var times sync.Mutex
	outcomes, err := inParallel(ctx, "episode", len(episodes), config.Threads, config.Progress, func() (func(int) (classified, error), func()) {
		w := worker{features: features, way: config.Way, classifier: config.Classifier()}
		measure := func(i int) (c classified, err error) {
			c.Logits, c.Accuracy, err = w.episode(episodes[i])
			return c, err
		}
		return measure, func() {
			times.Lock()
			defer times.Unlock()
			result.Fitting += w.fitting
			result.Scoring += w.scoring
		}
	})
	if err != nil {
		return nil, err
	}
	for _, c := range outcomes {
		result.Logits, result.Accuracies = append(result.Logits, c.Logits), append(result.Accuracies, c.Accuracy)
	}
	spent := []float64{float64(result.Fitting), float64(result.Scoring)}
	if err := cluster.Of(ctx).SumFloat64(spent); err != nil {
		return nil, err
	}
	result.Fitting, result.Scoring = time.Duration(spent[0]), time.Duration(spent[1])
	result.Mean, result.Interval = Interval(result.Accuracies)
	return result, nil
}

// Against returns the mean difference between the accuracies of r and other over the same episodes,
// and half the width of its 95% interval.
func (r *Result) Against(other *Result) (mean, half float64) {
	differences := make([]float64, len(r.Accuracies))
	for i, accuracy := range r.Accuracies {
		differences[i] = accuracy - other.Accuracies[i]
	}
	return Interval(differences)
}

// classified is the result of one episode.
type classified struct {
	Logits   []float32
	Accuracy float64
}

// worker classifies one episode after the other.
type worker struct {
	features   Features
	way        int
	classifier fewshot.Classifier
	scores     []float64

	fitting, scoring time.Duration
}

// episode returns the logits of an episode's queries, [queries·way], and the
// share of them that is right.
func (w *worker) episode(e data.Episode) (logits []float32, accuracy float64, err error) {
	classes, err := w.classes(e)
	if err != nil {
		return nil, 0, err
	}
	began := time.Now()
	if err := w.classifier.Fit(classes); err != nil {
		return nil, 0, err
	}
	fitted := time.Now()
	w.fitting += fitted.Sub(began)
	logits = make([]float32, 0, len(e.Query)*w.way)
	right := 0
	for i, name := range e.Query {
		query, err := w.set(name)
		if err != nil {
			return nil, 0, err
		}
		if w.scores, err = w.classifier.Scores(w.scores, query); err != nil {
			return nil, 0, fmt.Errorf("%s: %w", name, err)
		}
		for _, s := range w.scores {
			logits = append(logits, float32(s))
		}
		if fewshot.Best(w.scores) == i%w.way {
			right++
		}
	}
	w.scoring += time.Since(fitted)
	return logits, float64(right) / float64(max(len(e.Query), 1)), nil
}

// classes gathers the support set of an episode by class.
func (w *worker) classes(e data.Episode) ([]fewshot.Class, error) {
	support, err := e.ByClass(w.way)
	if err != nil {
		return nil, err
	}
	classes := make([]fewshot.Class, w.way)
	for c, names := range support {
		classes[c].Name = names[0] // episodes have no names of classes; errors show this one
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

// counter reports progress from several goroutines, one at a time.
type counter struct {
	mu          sync.Mutex
	done, total int
	progress    Progress
}

func (c *counter) add() {
	if c.progress == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.done++
	c.progress(c.done, c.total)
}

// inParallel goes through n episodes or queries, a rank's share of them on several goroutines
// (0: one a processor), and reports how many are done. Each goroutine begins with start, which
// returns what measures one of them, by its index, and what to do at the end, if anything. It
// returns what came of all, in their order.
//
// It returns the first error, which names what it is of, or the context's.
func inParallel[T any](ctx context.Context, what string, n, threads int, progress Progress, start func() (measure func(i int) (T, error), end func())) ([]T, error) {
	g := cluster.Of(ctx)
	from, to := cluster.Share(g, n)
	outcomes := make([]T, n)
	done := counter{total: to - from, progress: progress.of(g, n)}
	next := make(chan int)
	work, working := errgroup.WithContext(ctx)
	work.Go(func() error {
		defer close(next)
		for i := from; i < to; i++ {
			select {
			case next <- i:
			case <-working.Done():
				return working.Err()
			}
		}
		return nil
	})
	for range min(goroutines(threads), max(to-from, 1)) {
		work.Go(func() error {
			measure, end := start()
			for i := range next {
				var err error
				if outcomes[i], err = measure(i); err != nil {
					return fmt.Errorf("%s %d: %w", what, i+1, err)
				}
				done.add()
			}
			if end != nil {
				end()
			}
			return nil
		})
	}
	return outcomes, cluster.Together(ctx, outcomes, work.Wait())
}

// Extract, Run and RunOpen share their work among the ranks of the context's group, which all
// call them with the same arguments: each takes its part of the pictures or episodes, and all
// return everything, in the order and with the digits that one process gives.

// named is the set of a picture.
type named struct {
	Name string
	Set  *embed.Set
}

// Gather gives every rank of the context's group the features of all names, of which it has
// those of its share (cluster.Share), unless err kept it from them. It returns the error of
// the first rank that has one.
func Gather(ctx context.Context, names []string, features Features, err error) (Features, error) {
	if cluster.Of(ctx).Size() == 1 {
		return features, err
	}
	all := make([]named, len(names))
	for i, name := range names {
		all[i] = named{name, features[name]}
	}
	if err := cluster.Together(ctx, all, err); err != nil {
		return nil, err
	}
	features = make(Features, len(names))
	for _, n := range all {
		if n.Set != nil { // it was not left out
			features[n.Name] = n.Set
		}
	}
	return features, nil
}
