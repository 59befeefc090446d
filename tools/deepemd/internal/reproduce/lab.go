// Package reproduce measures what the tables of DeepEMD (Zhang, Cai, Lin, Shen,
// "DeepEMD: Differentiable Earth Mover's Distance for Few-Shot Learning") measure,
// with a network and pictures of one's own, and sets the paper's figures beside it.
//
// A table is rows and columns, and each cell is one [Setting]: a method and the
// episodes that it classifies. A [Lab] measures them one after the other and keeps
// each in a file as soon as it is there, so that a run that was stopped goes on
// where it was. Pictures are embedded once, for all tables, and kept between runs.
//
// The paper's figures are in paper.csv, for every cell that both have.
package reproduce

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/deepemd/deepemd/core/fewshot"
	"github.com/deepemd/deepemd/core/learner"
	"github.com/deepemd/deepemd/core/match"
	"github.com/deepemd/deepemd/trainer/data"
	"github.com/deepemd/deepemd/trainer/evaluate"
)

// Lab measures tables.
type Lab struct {
	Plan     Plan
	Networks map[string]*Network // by Main, Plain, ForGrid and ForSampling, as far as given
	Data     map[string]*Dataset // by Main and Onto, as far as given
	Features *Cache
	Store    *Store
	Threads  int // of the classifiers; 0 for all cores
	// Show shows how far a piece of work is while it runs.
	Show Work
	// Done, if not nil, is called with each cell that was measured.
	Done func(c Cell, o *Outcome)
	// Today is the date of what is measured.
	Today func() time.Time

	episodes map[string][]data.Episode
}

// network is the one in a role, nil for none. Crops are embedded by the main network where
// none was taught for them.
func (l *Lab) network(role string) *Network {
	if n := l.Networks[role]; n != nil || role == Plain {
		return n
	}
	return l.Networks[Main]
}

// Cell is a place of a table.
type Cell struct {
	Table  *Table
	Row    Row
	Column Column
}

// Cells are all cells of tables that the networks and data given can measure. Columns of more
// classes than the data have are left out, but for the first.
func (l *Lab) Cells(tables ...*Table) []Cell {
	var cells []Cell
	for _, t := range tables {
		for _, r := range t.Rows {
			for _, c := range t.Columns {
				d := l.Data[r.Data]
				if l.network(r.Network) == nil || d == nil || c.Way > t.Columns[0].Way && c.Way > len(d.classes) {
					continue
				}
				cells = append(cells, Cell{t, r, c})
			}
		}
	}
	return cells
}

// ID names what is measured in a cell. Cells of different tables may be the same.
func (l *Lab) ID(c Cell) string {
	s := l.Plan.setting(c.Table, c.Row, c.Column)
	n, d := l.network(s.Network), l.Data[s.Data]
	s.Network, s.Data = Main, Main // which ones they are, the rest says
	return digest(s, n.SHA256, n.Preprocess, d.fingerprint, d.classes)
}

// Outcome is what the store has of a cell, nil for nothing.
func (l *Lab) Outcome(c Cell) *Outcome {
	if l.network(c.Row.Network) == nil || l.Data[c.Row.Data] == nil {
		return nil
	}
	return l.Store.Find(l.ID(c))
}

// Measure measures the cells that the store does not have, and stores each at
// once.
//
// # Errors
//
// Those of drawing episodes, of embedding pictures and of classifiers, naming the
// cell, of writing, and the context's.
func (l *Lab) Measure(ctx context.Context, cells []Cell) error {
	var todo []Cell
	seen := map[string]bool{}
	for _, c := range cells {
		if id := l.ID(c); l.Store.Find(id) == nil && !seen[id] {
			seen[id] = true
			todo = append(todo, c)
		}
	}
	for i, c := range todo {
		o, err := l.measure(ctx, c, fmt.Sprintf("%s, %d of %d: ", c.Table.Name, i+1, len(todo)))
		if err != nil {
			return fmt.Errorf("%s, %s, %s: %w", c.Table.Name, c.Row.Label, c.Column.Label, err)
		}
		if err := l.Store.Put(o); err != nil {
			return err
		}
		if l.Done != nil {
			l.Done(c, o)
		}
	}
	return nil
}

// measure measures a cell.
func (l *Lab) measure(ctx context.Context, c Cell, prefix string) (*Outcome, error) {
	s := l.Plan.setting(c.Table, c.Row, c.Column)
	n, d := l.network(s.Network), l.Data[s.Data]
	episodes, features, config, err := l.prepare(ctx, s)
	if err != nil {
		return nil, err
	}
	var result *evaluate.Result
	err = l.Show(prefix+s.String()+": episodes", func(progress evaluate.Progress) (err error) {
		config.Progress = progress
		result, err = evaluate.Run(ctx, features, episodes, config.Config)
		return err
	})
	if err != nil {
		return nil, err
	}
	o := &Outcome{
		ID: l.ID(c), Setting: s, Network: n.Name, SHA256: n.SHA256, Data: d.Name, Split: d.Split, Part: d.Part,
		Date: l.Today().UTC().Format(time.DateOnly), Weighting: config.weighting,
	}
	o.add(result)
	return o, nil
}

// time takes the times of a result.
func (o *Outcome) time(r *evaluate.Result) {
	episodes := float64(len(r.Accuracies))
	o.QueryMS = r.Scoring.Seconds() * 1000 / (episodes * float64(o.Setting.Way*o.Setting.Query))
	o.LearnMS = r.Fitting.Seconds() * 1000 / episodes
}

// Prune drops from the store what is in none of the tables: outcomes of other
// networks, pictures or settings.
func (l *Lab) Prune(tables []*Table) error {
	ids := map[string]bool{}
	for _, c := range l.Cells(tables...) {
		ids[l.ID(c)] = true
	}
	return l.Store.retain(ids)
}

// timedEpisodes are as many as the times of a classifier are measured with.
const timedEpisodes = 3

// Retime measures the times of cells again, one thread and nothing beside it.
// Accuracies stay. Errors are those of Measure.
func (l *Lab) Retime(ctx context.Context, cells []Cell) error {
	seen := map[string]bool{}
	for _, c := range cells {
		o := l.Outcome(c)
		if o == nil || seen[o.ID] {
			continue
		}
		seen[o.ID] = true
		episodes, features, config, err := l.prepare(ctx, l.Plan.setting(c.Table, c.Row, c.Column))
		if err != nil {
			return err
		}
		config.Threads = 1
		count := min(timedEpisodes, len(episodes))
		result, err := evaluate.Run(ctx, features, episodes[:count], config.Config)
		if err != nil {
			return err
		}
		o.time(result)
		o.Alone = true
		if err := l.Store.Put(o); err != nil {
			return err
		}
	}
	return nil
}

// config says how the episodes of a setting are classified.
type config struct {
	evaluate.Config
	weighting string // with its bandwidth
}

// prepare draws the episodes of a setting, embeds their pictures and makes the
// classifier.
func (l *Lab) prepare(ctx context.Context, s Setting) ([]data.Episode, evaluate.Features, *config, error) {
	n, d := l.network(s.Network), l.Data[s.Data]
	episodes, err := l.draw(s)
	if err != nil {
		return nil, nil, nil, err
	}
	pictures := names(episodes)
	features, err := l.Features.Features(ctx, n, d, s.Method.Embedder, pictures, l.Show)
	if err != nil {
		return nil, nil, nil, err
	}
	name, err := absolute(s.Method.Weighting, features, pictures)
	if err != nil {
		return nil, nil, nil, err
	}
	m := s.Method
	m.Weighting = name
	kit := learner.AllParts()
	weighting, err := kit.Weighting(name)
	if err != nil {
		return nil, nil, nil, err
	}
	if g, merges := weighting.(match.Grouping); merges {
		kind, _, _ := strings.Cut(name, ":")
		known := remember(g, features)
		kit.Weightings[kind] = func(float64) match.Weighting { return known }
	}
	if _, err := kit.Classifier(m, learner.Tuning{}); err != nil {
		return nil, nil, nil, err
	}
	return episodes, features, &config{evaluate.Config{
		Way: s.Way, Threads: l.Threads,
		Classifier: func() fewshot.Classifier {
			c, _ := kit.Classifier(m, learner.Tuning{}) // which could be made just now
			return c
		},
	}, name}, nil
}

// draw returns the episodes of a setting, which do not depend on the method.
func (l *Lab) draw(s Setting) ([]data.Episode, error) {
	key := fmt.Sprint(s.Data, s.Pictures, s.Way, s.Shot, s.Query, s.Episodes, s.Seed)
	if l.episodes == nil {
		l.episodes = map[string][]data.Episode{}
	}
	if l.episodes[key] == nil {
		episodes, err := l.Data[s.Data].episodes(s)
		if err != nil {
			return nil, err
		}
		l.episodes[key] = episodes
	}
	return l.episodes[key], nil
}

// relativeShift begins the name of mean-shift with a share of the mean bandwidth.
const relativeShift = "mean-shift~"

// bandwidthPictures are as many as the mean bandwidth is estimated with.
const bandwidthPictures = 1000

// absolute is the name of node weights with a relative bandwidth made absolute, to
// three digits.
func absolute(weighting string, features evaluate.Features, pictures []string) (string, error) {
	after, relative := strings.CutPrefix(weighting, relativeShift)
	if !relative {
		return weighting, nil
	}
	share, err := strconv.ParseFloat(after, 64)
	if err != nil {
		return "", fmt.Errorf("node weights %q: want a share of the mean bandwidth, such as %s0.5", weighting, relativeShift)
	}
	pictures = pictures[:min(len(pictures), bandwidthPictures)]
	mean := 0.0
	for _, name := range pictures {
		mean += match.EstimateBandwidth(features[name]) / float64(len(pictures))
	}
	if mean == 0 {
		return "equal", nil // so few nodes that each is its own neighbourhood: none is merged
	}
	return "mean-shift:" + strconv.FormatFloat(share*mean, 'g', 3, 64), nil
}

// Verdict is whether an order of the paper holds here.
type Verdict struct {
	Better, Worse, Column string // keys
	// Difference is the mean difference of the accuracy over the same episodes, and
	// Half half the width of its 95% interval.
	Difference, Half float64
}

// Holds reports whether the difference is above chance, in the paper's direction.
func (v Verdict) Holds() bool { return v.Difference > v.Half }

// Reversed reports whether it is above chance, against the paper.
func (v Verdict) Reversed() bool { return v.Difference < -v.Half }

// String says the difference, and what it means.
func (v Verdict) String() string {
	what := fmt.Sprintf("%+.2f ± %.2f", 100*v.Difference, 100*v.Half)
	switch {
	case v.Holds():
		return what + ", holds"
	case v.Reversed():
		return "**" + what + ", does not hold**"
	}
	return what + ", open"
}

// verdicts judges the orders of a table by its outcomes.
func (l *Lab) verdicts(t *Table) []Verdict {
	var all []Verdict
	for _, order := range t.Orders {
		for _, c := range t.Columns {
			if order.Columns != nil && !slices.Contains(order.Columns, c.Key) {
				continue
			}
			better := t.row(order.Better)
			best := l.Outcome(Cell{t, better, c})
			for _, key := range order.Worse {
				worse := t.row(key)
				other := l.Outcome(Cell{t, worse, c})
				if best == nil || other == nil {
					continue
				}
				v := Verdict{Better: order.Better, Worse: key, Column: c.Key}
				v.Difference, v.Half = best.Against(other)
				all = append(all, v)
			}
		}
	}
	return all
}

// row is the one of a key.
func (t *Table) row(key string) Row {
	for _, r := range t.Rows {
		if r.Key == key {
			return r
		}
	}
	panic(fmt.Sprintf("reproduce: %s has no row %q", t.Name, key)) // the tables are ours
}
