// Package conformance compares this implementation with the published one:
// activations, node weights, similarities, logits from image files on, and
// optima of transport problems, against the golden data that the published
// code computed.
//
// The data lie outside of the code, in a folder with the sub-folders reference
// and datasets. The command `deepemd conformance` and the package's tests run
// the same suites.
package conformance

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"

	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/match"
	"github.com/deepemd/deepemd/core/method"
)

// Check is one comparison with the reference.
type Check struct {
	What      string  // what was compared, of which network
	Measure   Measure // how Worst and Tolerance are meant
	Tolerance float64
	Worst     float64 // the largest difference; +Inf where a value is NaN or missing
	Compared  int     // how many values were compared

	// Queries and Agreement are, for logits, how many queries there were and
	// the share of them with the reference's predicted class.
	Queries   int
	Agreement float64
	// Least is the agreement asked for; 0 stands for 99.9%. Logits that tie within
	// the tolerance may fall either way.
	Least float64
}

// Measure is a way to measure a difference.
type Measure string

// The measures of differences.
const (
	// Absolute is |got − want|.
	Absolute Measure = "absolute"
	// Relative is |got − want| / |want|.
	Relative Measure = "relative"
	// RelativeRMS is |got − want| / max(|want|, rms), with the root mean square
	// of all wanted values: what is near zero among them cannot be held to its
	// own size.
	RelativeRMS Measure = "relative to rms"
)

// minAgreement is the share of queries that must have the reference's predicted
// class where a check asks for no other.
const minAgreement = 0.999

// Passed reports whether the check holds.
func (c Check) Passed() bool {
	return c.Compared > 0 && c.Worst <= c.Tolerance && (c.Queries == 0 || c.Agreement >= cmp.Or(c.Least, minAgreement))
}

// String says what was compared and what came of it, in one line.
func (c Check) String() string {
	s := fmt.Sprintf("%s: worst difference %.2e of %d values, tolerance %.0e %s", c.What, c.Worst, c.Compared, c.Tolerance, c.Measure)
	if c.Queries > 0 {
		s += fmt.Sprintf("; %.2f%% of %d predicted classes agree", 100*c.Agreement, c.Queries)
	}
	return s
}

// compare measures the largest difference of got from want.
func compare[T float32 | float64](what string, measure Measure, tolerance float64, got, want []T) Check {
	check := Check{What: what, Measure: measure, Tolerance: tolerance, Compared: len(want)}
	if len(got) != len(want) {
		check.Worst = math.Inf(1)
		return check
	}
	var rms float64
	if measure == RelativeRMS {
		for _, w := range want {
			rms += float64(w) * float64(w)
		}
		rms = math.Sqrt(rms / float64(max(len(want), 1)))
	}
	for i, w := range want {
		difference := math.Abs(float64(got[i]) - float64(w))
		if measure != Absolute && difference > 0 {
			difference /= max(math.Abs(float64(w)), rms)
		}
		if math.IsNaN(difference) {
			difference = math.Inf(1)
		}
		check.Worst = max(check.Worst, difference)
	}
	return check
}

// agreement is the share of rows of way logits whose highest is in one place.
func agreement(got, want []float32, way int) (rows int, share float64) {
	rows = len(want) / way
	same := 0
	for i := range rows {
		if highest(got[i*way:][:way]) == highest(want[i*way:][:way]) {
			same++
		}
	}
	return rows, float64(same) / float64(max(rows, 1))
}

func highest(logits []float32) int {
	best := 0
	for i, v := range logits {
		if v > logits[best] {
			best = i
		}
	}
	return best
}

// comparePair compares the parts of one match: the raw node weights, the
// similarities, and the score (flows themselves may differ where costs tie).
func (r *reference) comparePair(report func(Check)) error {
	var sets [2]*match.Prepared
	for i, name := range []string{r.list.Pair.Query, r.list.Pair.Support} {
		picture, err := r.data.Image(name)
		if err != nil {
			return err
		}
		embedded, err := embed.FCN{}.Embed(r.network, r.preprocess(r.pieces), picture)
		if err != nil {
			return err
		}
		if sets[i], err = match.Prepare(embedded[0]); err != nil {
			return err
		}
	}
	query, support := sets[0], sets[1]
	var matcher match.Matcher
	got, err := matcher.MatchPrepared(query, support)
	if err != nil {
		return err
	}

	golden := map[string][]float64{}
	for _, name := range []string{"weight_query", "weight_support", "similarity", "flow"} {
		values, err := r.array("pair_" + name)
		if err != nil {
			return err
		}
		for _, v := range values {
			golden[name] = append(golden[name], float64(v))
		}
	}
	weights := make([]float64, query.N()+support.N())
	match.CrossReference{}.Weigh(weights[:query.N()], query, support)
	match.CrossReference{}.Weigh(weights[query.N():], support, query)
	var score float64
	for i, s := range golden["similarity"] {
		score += method.Temperature / float64(query.N()) * s * golden["flow"][i]
	}
	report(compare(r.name+": node weights of a pair", Relative, 1e-3, weights, append(golden["weight_query"], golden["weight_support"]...)))
	report(compare(r.name+": similarities of a pair", Absolute, 1e-3, got.Similarity, golden["similarity"]))
	report(compare(r.name+": score of a pair", Absolute, 2e-3, []float64{got.Score}, []float64{score}))
	return nil
}

// Options say how much is compared, and how.
type Options struct {
	// Episodes bounds the episodes of each setting; 0 for all.
	Episodes int
	// Queries bounds the queries of each episode; 0 for all. Queries go round the
	// classes, so that a multiple of five asks every class equally often.
	Queries int
	// Threads bounds the goroutines; 0 for all cores.
	Threads int
}

// Suite is a part of the comparison that needs its own files.
type Suite struct {
	Name  string
	files []string
	run   func(ctx context.Context, opt Options, report func(Check)) error
}

// Suites returns the comparisons with the data in the folder shared, which has
// the sub-folders reference and datasets. Nothing is read yet.
func Suites(shared string) []Suite {
	suites := []Suite{transportSuite(filepath.Join(shared, "reference", "transport.json"))}
	for _, r := range []reference{
		{
			name: "resnet12-cifarfs", lists: "reference", fast: "sfc100", images: "cifar100.zip",
			pieces: setting{pixels: 84, resize: 92},
			logits: []setting{
				{name: "fcn_32", pixels: 32},
				{name: "fcn_84", pixels: 84, resize: 92},
				{name: "fcn_84_pyramid_2_1", pixels: 84, resize: 92, embedder: embed.FCN{Pyramid: []int{2, 1}}},
				// Crops of the whole picture, each scaled to the input's size.
				{name: "grid_84_2_3", pixels: 84, resize: 84, embedder: embed.Grid{Levels: []int{2, 3}, Ratio: 2}, episodes: 6},
			},
		},
		{
			name: "resnet12-s-tiny", lists: "resnet12-s-tiny", images: "tiny-imagenet.zip",
			pieces: setting{pixels: 64},
			logits: []setting{{name: "fcn_64", pixels: 64}},
		},
	} {
		r.shared = shared
		suites = append(suites, Suite{Name: r.name, files: r.files(), run: r.run})
	}
	return suites
}

// Missing returns why the suite cannot run: a file that is not there; nil where
// all are.
func (s Suite) Missing() error {
	for _, file := range s.files {
		if _, err := os.Stat(file); err != nil {
			return err
		}
	}
	return nil
}

// Run makes the suite's comparisons and reports each at once. Checks that
// do not pass are no error; files that cannot be read and the like are, and a
// context that is cancelled.
func (s Suite) Run(ctx context.Context, opt Options, report func(Check)) error {
	if err := s.run(ctx, opt, report); err != nil {
		return fmt.Errorf("%s: %w", s.Name, err)
	}
	return nil
}
