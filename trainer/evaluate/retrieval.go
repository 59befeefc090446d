package evaluate

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"gonum.org/v1/gonum/floats"

	"github.com/deepemd/deepemd/core/fewshot"
	"github.com/deepemd/deepemd/core/gallery"
	"github.com/deepemd/deepemd/core/match"
	"github.com/deepemd/deepemd/internal/cluster"
	"github.com/deepemd/deepemd/trainer/data"
)

// Retrieval specifies how to measure retrieval.
type Retrieval struct {
	// Matcher returns a matcher for each goroutine, all with the same settings.
	Matcher func() *match.Matcher
	// Candidates are the numbers of candidates to compare: 0 is the cosine of global descriptors
	// alone, gallery.All is the whole gallery.
	Candidates []int
	// Queries, unless nil, are the same images in the form in which they are queries, such as
	// before compression.
	Queries gallery.Gallery
	// Ks are the k of Recall@k.
	Ks []int
	// Threads limits the goroutines; 0 for all cores.
	Threads int
	// Progress shows the number of finished queries.
	Progress Shown
}

// RetrievalRow is the result for one number of candidates.
type RetrievalRow struct {
	Candidates int // or gallery.All
	Metrics
	// Kept is the share of the ten best matches in the whole gallery that are candidates. It is −1
	// unless gallery.All is one of the numbers to compare.
	Kept float64
	// Matching is the mean time of a query's matches on one thread.
	Matching time.Duration
}

const keptPlaces = 10

// RetrievalResult is the result of RunRetrieval.
type RetrievalResult struct {
	Rows    []RetrievalRow // in the order of Retrieval.Candidates
	Queries int
	Lone    int // images without another image of their class, which are not queries
}

// RunRetrieval uses each image of the gallery as the query for all others. labels are the classes
// of the images. The candidates are ranked by their match, and the remaining images follow in the
// order of their cosine.
//
// The ranks of the context's group share the queries, and each rank returns the result of all
// queries.
//
// It returns an error if no class has two images, the errors of matching, and the context's error
// if it is canceled.
func RunRetrieval(ctx context.Context, g gallery.Gallery, labels []int, config Retrieval) (*RetrievalResult, error) {
	if len(labels) != g.Len() {
		return nil, fmt.Errorf("retrieval: %d labels for %d images", len(labels), g.Len())
	}
	members := map[int]int{}
	for _, label := range labels {
		members[label]++
	}
	var queries []int
	for i, label := range labels {
		if members[label] > 1 {
			queries = append(queries, i)
		}
	}
	if len(queries) == 0 {
		return nil, fmt.Errorf("retrieval: no class has two images, so there is nothing to find")
	}
	result := &RetrievalResult{Queries: len(queries), Lone: len(labels) - len(queries)}
	if err := sameItems(ctx, "queries", len(queries), labels); err != nil {
		return nil, err
	}
	each, err := inParallel(ctx, "query", len(queries), config.Threads, config.Progress, func() func(int) ([]RetrievalRow, error) {
		e := evaluator{gallery: g, queries: cmp.Or(config.Queries, g), labels: labels, members: members, config: config}
		e.matcher = config.Matcher()
		return func(i int) ([]RetrievalRow, error) { return e.query(queries[i]) }
	})
	if err != nil {
		return nil, err
	}
	for k, candidates := range config.Candidates {
		row := RetrievalRow{Candidates: candidates, Recall: make([]float64, len(config.Ks))}
		for _, rows := range each {
			row.add(rows[k].Metrics)
			row.Kept += rows[k].Kept
			row.Matching += rows[k].Matching
		}
		row.divide(len(queries))
		row.Kept /= float64(len(queries))
		row.Matching /= time.Duration(len(queries))
		result.Rows = append(result.Rows, row)
	}
	return result, nil
}

// evaluator is the working memory of one goroutine.
type evaluator struct {
	gallery gallery.Gallery
	queries gallery.Gallery
	labels  []int
	members map[int]int
	config  Retrieval
	matcher *match.Matcher
	scratch gallery.Scratch
	asked   gallery.Scratch
	near    []float32
}

// query measures one query with every number of candidates.
func (e *evaluator) query(q int) ([]RetrievalRow, error) {
	feature := make([]float32, e.queries.Channels())
	e.queries.Feature(feature, q)
	e.near = slices.Grow(e.near[:0], e.gallery.Len())[:e.gallery.Len()]
	e.gallery.Cosines(e.near, feature, 1)
	order := gallery.Nearest(e.near, gallery.All)
	order = slices.DeleteFunc(order, func(i int32) bool { return int(i) == q })

	most := 0
	for _, n := range e.config.Candidates {
		most = max(most, candidates(n, len(order)))
	}
	// The scores in the order of the cosines, and the time after the first n matches.
	scores, after := make([]float64, most), make([]time.Duration, most+1)
	query, err := e.queries.Prepared(q, e.matcher, &e.asked)
	if err != nil {
		return nil, err
	}
	began := time.Now()
	for k, i := range order[:most] {
		support, err := e.gallery.Prepared(int(i), e.matcher, &e.scratch)
		if err != nil {
			return nil, err
		}
		if scores[k], err = e.matcher.ScorePrepared(query, support); err != nil {
			return nil, fmt.Errorf("images %d and %d: %w", q, i, err)
		}
		after[k+1] = time.Since(began)
	}

	total := e.members[e.labels[q]] - 1
	var best []int // the best matches, as indexes into the order by cosine, if all were matched
	if slices.Contains(e.config.Candidates, gallery.All) {
		best = fewshot.Ranking(scores)
		best = best[:min(len(best), keptPlaces)]
	}
	var rows []RetrievalRow
	for _, n := range e.config.Candidates {
		n = candidates(n, len(order))
		relevant := make([]bool, len(order))
		for place, from := range fewshot.Ranking(scores[:n]) {
			relevant[place] = e.labels[order[from]] == e.labels[q]
		}
		for place := n; place < len(order); place++ {
			relevant[place] = e.labels[order[place]] == e.labels[q]
		}
		row := RetrievalRow{Metrics: Measure(relevant, total, e.config.Ks), Kept: -1, Matching: after[n]}
		if best != nil {
			row.Kept = 0
			for _, place := range best {
				if place < n {
					row.Kept += 1 / float64(len(best))
				}
			}
		}
		rows = append(rows, row)
	}
	return rows, nil
}

func candidates(n, pictures int) int {
	if n == gallery.All {
		return pictures
	}
	return min(n, pictures)
}

// Metrics state how well one query found its class, or the mean of several queries.
type Metrics struct {
	// Recall is, for every k, 1 if one of the first k images has the query's class. At 1 it is the
	// precision at 1.
	Recall []float64 `json:"recall"`
	// RPrecision is the share of correct images among the first R, where R is the number of other
	// images of the class.
	RPrecision float64 `json:"rPrecision"`
	// MAPR is the mean average precision at R: 1/R · Σ_{i≤R} P(i), where P(i) is the share of
	// correct images among the first i if the i-th is correct, and 0 otherwise.
	MAPR float64 `json:"mapR"`
}

// Measure returns the metrics of a ranking. relevant states for the first places, the best first,
// whether they have the query's class, which has total other images. It needs max(total, largest k)
// places, unless the gallery has fewer.
//
// It panics if total is 0 or if places are missing.
func Measure(relevant []bool, total int, ks []int) Metrics {
	if total < 1 || len(relevant) < total {
		panic(fmt.Sprintf("retrieval: %d results for a query with %d answers", len(relevant), total))
	}
	m := Metrics{Recall: make([]float64, len(ks))}
	first := slices.Index(relevant, true)
	for i, k := range ks {
		if first >= 0 && first < k {
			m.Recall[i] = 1
		}
	}
	right := 0
	for i, r := range relevant[:total] {
		if r {
			right++
			m.MAPR += float64(right) / float64(i+1)
		}
	}
	m.RPrecision = float64(right) / float64(total)
	m.MAPR /= float64(total)
	return m
}

func (m *Metrics) add(o Metrics) {
	floats.Add(m.Recall, o.Recall)
	m.RPrecision += o.RPrecision
	m.MAPR += o.MAPR
}

func (m *Metrics) divide(queries int) {
	n := float64(queries)
	for i := range m.Recall {
		m.Recall[i] /= n
	}
	m.RPrecision /= n
	m.MAPR /= n
}

// fillBatch is the number of images between commits.
const fillBatch = 256

// FillIndex embeds the named images and adds them to an index with the labels of their classes. It skips
// images that the index contains, and commits each batch, so that it can continue after an
// interruption. The ranks of the context's group (cluster.Of) share each batch. Only the first rank
// has the index; on the others it is nil.
//
// It returns the errors of embedding and writing, the context's error if it is canceled, and an
// error if the index stays empty because no image is readable.
func FillIndex(ctx context.Context, index *gallery.Writer, set *data.Set, names []string, x Extraction) error {
	return x.Progress.run(cluster.Single{}, len(names), func(progress Progress) error {
		return fillIndex(ctx, index, set, names, x, progress)
	})
}

func fillIndex(ctx context.Context, index *gallery.Writer, set *data.Set, names []string, x Extraction, progress Progress) error {
	var unreadable error
	if leaveOut := x.LeaveOut; leaveOut != nil {
		x.LeaveOut = func(d *data.Damaged) {
			unreadable = d
			leaveOut(d)
		}
	}
	missing := slices.Clone(names)
	if index != nil {
		missing = slices.DeleteFunc(missing, index.Has)
	}
	missing, err := cluster.FromLeader(cluster.Of(ctx), missing, nil)
	if err != nil {
		return err
	}
	done := len(names) - len(missing)
	progress(done, len(names))
	x.Progress = func(work func(Progress) error) error {
		return work(func(n, _ int) { progress(done+n, len(names)) })
	}
	for batch := range slices.Chunk(missing, fillBatch) {
		digests := map[string]gallery.Digest{}
		if index != nil {
			for _, name := range batch {
				digests[name], _ = set.Digest(name) // Extract reports files that cannot be read
			}
		}
		features, err := Extract(ctx, batch, set.Image, x)
		if err != nil {
			return err
		}
		if index == nil {
			continue
		}
		for _, name := range batch {
			if features[name] == nil {
				continue
			}
			if err := index.AddFile(name, set.LabelOf(name), digests[name], features[name]); err != nil {
				return err
			}
		}
		if err := index.Commit(); err != nil {
			return err
		}
		done += len(batch)
		progress(done, len(names))
	}
	if index != nil && index.Len() == 0 && unreadable != nil {
		return fmt.Errorf("no image can be read: %w", unreadable)
	}
	return nil
}
