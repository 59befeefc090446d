// Package reproduce measures the tables of DeepEMD (Zhang, Cai, Lin, Shen, "DeepEMD: Differentiable
// Earth Mover's Distance for Few-Shot Learning") with any network and images, and compares them
// with the paper's figures.
//
// A table has rows and columns, and each cell is one [Setting]: a method with the episodes that it
// classifies. A [Lab] measures the cells in order and stores each in a file at once, so that an
// interrupted run continues. Images are embedded once for all tables, and the features are kept
// between runs.
//
// paper.csv has the paper's figures of all common cells.
package reproduce

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/deepemd/deepemd/core/fewshot"
	"github.com/deepemd/deepemd/core/learner"
	"github.com/deepemd/deepemd/core/match"
	"github.com/deepemd/deepemd/internal/cluster"
	"github.com/deepemd/deepemd/trainer/data"
	"github.com/deepemd/deepemd/trainer/evaluate"
)

// Lab measures tables.
type Lab struct {
	Plan Plan
	// Networks are all optional. Their keys are roles, or method.Grid and method.Sampling for
	// networks that were trained with the embedder's crops and replace the main network there.
	Networks map[string]*Network
	Data     map[string]*Dataset // by Main and Onto; both optional
	Features *Cache
	Store    *Store
	Threads  int // of the classifiers; 0 for all cores
	Show     evaluate.Show
	// Done, if not nil, is called with each cell that was measured.
	Done func(c Cell, o *Outcome)
	// Today returns the date of the measurements.
	Today func() time.Time
	// Commit is the program's commit; empty if unknown.
	Commit string
}

// network returns the network of a role for a kind of embedder, or nil. The main network has learned the
// task of rotations, unless there is a separate network with it.
func (l *Lab) network(role, embedder string) *Network {
	switch n := l.Networks[role]; {
	case role != Main && n != nil:
		return n
	case role == Augmented, role == Plain && l.Networks[Rotated] == nil:
		return nil
	}
	return cmp.Or(l.Networks[embedder], l.Networks[Main])
}

// Cell is a cell of a table.
type Cell struct {
	Table  *Table
	Row    Row
	Column Column
}

// Cells returns all cells that can be measured with the given networks and data. Except for the first
// column, columns with more classes than the data have are omitted.
func (l *Lab) Cells(tables ...*Table) []Cell {
	var cells []Cell
	for _, t := range tables {
		for _, r := range t.Rows {
			for _, c := range t.Columns {
				d := l.Data[r.Data]
				if l.network(r.Network, r.Embedder.Kind) == nil || d == nil || c.Way > t.Columns[0].Way && c.Way > len(d.classes) {
					continue
				}
				cells = append(cells, Cell{t, r, c})
			}
		}
	}
	return cells
}

// ID identifies the measurement of a cell. Cells of different tables may have the same ID.
func (l *Lab) ID(c Cell) string {
	s := l.Plan.setting(c.Table, c.Row, c.Column)
	n, d := l.network(s.Network, s.Embedder.Kind), l.Data[s.Data]
	s.Network, s.Data = Main, Main // the other values identify them
	return digest(s, n.SHA256, n.Preprocess, d.fingerprint, d.classes)
}

// distinct returns the first cell of each measurement.
func (l *Lab) distinct(cells []Cell) (first []Cell) {
	seen := map[string]bool{}
	for _, c := range cells {
		if id := l.ID(c); !seen[id] {
			seen[id] = true
			first = append(first, c)
		}
	}
	return first
}

// Outcome returns the stored result of a cell, or nil.
func (l *Lab) Outcome(c Cell) *Outcome {
	if l.network(c.Row.Network, c.Row.Embedder.Kind) == nil || l.Data[c.Row.Data] == nil {
		return nil
	}
	return l.Store.Find(l.ID(c))
}

// Run measures the cells of the tables that are not in the store, or only the times of stored cells if
// times is set.
//
// # Errors
//
// The errors of Measure, MeasureTimes and Time.
func (l *Lab) Run(ctx context.Context, tables []*Table, times bool) error {
	measure := l.Measure
	if times {
		measure = l.MeasureTimes
	}
	if err := measure(ctx, l.Cells(tables...)); err != nil {
		return err
	}
	if cluster.IsFirst(cluster.Of(ctx)) && slices.ContainsFunc(tables, ofLayer) {
		return l.Time(ctx, times)
	}
	return nil
}

// Measure measures the cells that are not in the store, and stores each at once.
//
// # Errors
//
// The errors of drawing episodes, of embedding images and of classifiers, with the cell's name; the
// errors of writing, and the context's.
func (l *Lab) Measure(ctx context.Context, cells []Cell) error {
	todo := slices.DeleteFunc(l.distinct(cells), func(c Cell) bool { return l.Outcome(c) != nil })
	for _, c := range todo { // at once, and not after hours
		if s := l.Plan.setting(c.Table, c.Row, c.Column); s.Pictures > 0 && s.Pictures < s.Shot+s.Query {
			return fmt.Errorf("--crop-pictures %d: an episode of %s needs %d images of a class: give at least that, or lower --query", s.Pictures, c.Table.Name, s.Shot+s.Query)
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

func (l *Lab) measure(ctx context.Context, c Cell, prefix string) (*Outcome, error) {
	s := l.Plan.setting(c.Table, c.Row, c.Column)
	n, d := l.network(s.Network, s.Embedder.Kind), l.Data[s.Data]
	episodes, features, config, err := l.prepare(ctx, s)
	if err != nil {
		return nil, err
	}
	config.Progress = l.Show.Of(prefix + s.String() + ": episodes")
	result, err := evaluate.Run(ctx, features, episodes, config.Config)
	if err != nil {
		return nil, err
	}
	o := &Outcome{
		ID: l.ID(c), Setting: s, Weighting: config.weighting,
		Network: n.Name, SHA256: n.SHA256, Data: d.Name, Split: d.Split, Part: d.Part, Date: l.date(), Commit: l.Commit,
	}
	for _, accuracy := range result.Accuracies {
		o.Right = append(o.Right, int(accuracy*float64(s.Way*s.Query)+0.5))
	}
	o.time(result)
	classified := evaluate.Features{} // the cache may have other images too
	for _, name := range data.Names(episodes) {
		classified[name] = features[name]
	}
	clusters, err := evaluate.CountClusters(classified, config.merging)
	if clusters != nil {
		o.Clusters = clusters.Mean
	}
	return o, err
}

func (l *Lab) date() string { return l.Today().UTC().Format(time.DateOnly) }

func (o *Outcome) time(r *evaluate.Result) {
	episodes := float64(len(r.Accuracies))
	o.QueryMS = milli(r.Scoring) / (episodes * float64(o.Setting.Way*o.Setting.Query))
	o.LearnMS = milli(r.Fitting) / episodes
}

// Forget removes the results of tables from the store. It keeps results of other tables, networks,
// images and settings.
func (l *Lab) Forget(tables []*Table) error {
	ids := map[string]bool{}
	for _, c := range l.Cells(tables...) {
		ids[l.ID(c)] = true
	}
	l.Store.Outcomes = slices.DeleteFunc(l.Store.Outcomes, func(o *Outcome) bool { return ids[o.ID] })
	if slices.ContainsFunc(tables, ofLayer) {
		l.Store.Times = nil
	}
	return l.Store.write()
}

// ofLayer reports whether a table has the times of the EMD layer.
func ofLayer(t *Table) bool { return t.Layer }

// timedEpisodes is the number of episodes for the times of a classifier.
const timedEpisodes = 3

// MeasureTimes measures only the times of cells again, on one thread. It returns the same errors as
// Measure.
func (l *Lab) MeasureTimes(ctx context.Context, cells []Cell) error {
	for _, c := range l.distinct(cells) {
		o := l.Outcome(c)
		if o == nil {
			continue
		}
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

// config specifies how to classify the episodes of a setting.
type config struct {
	evaluate.Config
	weighting string          // with its bandwidth
	merging   match.Weighting // the same, which merges each image once
}

// prepare draws the episodes of a setting, embeds their images and makes the classifier.
func (l *Lab) prepare(ctx context.Context, s Setting) ([]data.Episode, evaluate.Features, *config, error) {
	n, d := l.network(s.Network, s.Embedder.Kind), l.Data[s.Data]
	episodes, err := d.episodes(s)
	if err != nil {
		return nil, nil, nil, err
	}
	pictures, m := data.Names(episodes), s.method()
	features, err := l.Features.Features(ctx, n, d, m.Embedder, pictures, l.Show)
	if err != nil {
		return nil, nil, nil, err
	}
	m.Weighting = absolute(m.Weighting, features, pictures)
	kit := learner.AllParts()
	weighting, err := kit.Weighting(m.Weighting)
	if err != nil {
		return nil, nil, nil, err
	}
	if g, merges := weighting.(match.Grouping); merges {
		kind, _, _ := strings.Cut(m.Weighting, ":")
		weighting = newCachedGrouping(g, features)
		kit.Weightings[kind] = func(float64) match.Weighting { return weighting }
	}
	if _, err := kit.Classifier(m, learner.Tuning{}); err != nil {
		return nil, nil, nil, err
	}
	return episodes, features, &config{evaluate.Config{
		Way: s.Way, Threads: l.Threads,
		Classifier: func() fewshot.Classifier {
			c, _ := kit.Classifier(m, learner.Tuning{}) // prepare has checked it
			return c
		},
	}, m.Weighting, weighting}, nil
}

// relativeShift is the prefix of mean-shift weights whose bandwidth is relative to the mean
// bandwidth.
const relativeShift = "mean-shift~"

// bandwidthPictures is the number of images for estimating the mean bandwidth.
const bandwidthPictures = 1000

// absolute replaces a relative bandwidth in the name of node weights by the absolute bandwidth,
// with three digits.
func absolute(weighting string, features evaluate.Features, pictures []string) string {
	after, relative := strings.CutPrefix(weighting, relativeShift)
	if !relative {
		return weighting
	}
	share, _ := strconv.ParseFloat(after, 64) // of weightsTable
	pictures = pictures[:min(len(pictures), bandwidthPictures)]
	mean := 0.0
	for _, name := range pictures {
		mean += match.EstimateBandwidth(features[name]) / float64(len(pictures))
	}
	if mean == 0 {
		return "equal" // too few nodes: each is its own neighborhood
	}
	return "mean-shift:" + strconv.FormatFloat(share*mean, 'g', 3, 64)
}
