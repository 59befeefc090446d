package main

import (
	"bufio"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/gallery"
	"github.com/deepemd/deepemd/core/match"
	"github.com/deepemd/deepemd/core/method"
	"github.com/deepemd/deepemd/core/project"
	"github.com/deepemd/deepemd/trainer/data"
	"github.com/deepemd/deepemd/trainer/format/indexfile"
)

const (
	indexReal    = 100 // pictures of each class whose features are real
	indexNoise   = 0.2 // of a node's root mean square, by which the others differ from them
	indexQueries = 30

	indexCandidates = 200
	indexWanted     = 10
)

// index searches an index of many pictures: real features, and others made of them. It
// says what adding takes, and what a search takes in time and in memory that is nobody
// else's. The queries are real pictures that the index has not.
func index(b *bench) error {
	set, err := data.Open(b.pictures)
	if err != nil {
		b.peerNotes["pictures, so nothing is measured"] = fmt.Sprintf("%v: name others with -pictures", err)
		return nil
	}
	defer set.Close()
	path := b.indexFile
	if path == "" {
		dir, err := os.MkdirTemp("", "index")
		if err != nil {
			return err
		}
		defer os.RemoveAll(dir)
		path = filepath.Join(dir, "many.index")
	}
	if err := b.fillIndex(path, set); err != nil {
		return err
	}
	var queries []string
	for i := range indexQueries {
		pictures := set.Pictures(set.Classes()[i*len(set.Classes())/indexQueries])
		if len(pictures) <= indexReal {
			return fmt.Errorf("%s: a class has %d pictures, want more than %d: name others with -pictures", set.Name(), len(pictures), indexReal)
		}
		queries = append(queries, pictures[indexReal].Name)
	}
	embedded, err := b.embeddedByName(set, queries)
	if err != nil {
		return err
	}
	var sets []*embed.Set
	for _, name := range queries {
		sets = append(sets, embedded[name])
	}
	debug.FreeOSMemory() // what adding took
	return b.searchIndex(path, sets)
}

// fillIndex makes an index of b.entries pictures, or goes on with one that is there.
func (b *bench) fillIndex(path string, set *data.Set) (err error) {
	g, err := indexfile.Grow(path, gallery.Catalogue{
		Network: project.Network{Name: "perturbed", Embedder: method.Embedder{Kind: method.FCN}}, Source: "perturbed",
	})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, g.Release()) }()
	from := g.Committed()
	if from >= b.entries {
		return nil
	}
	features, err := b.embedded(set, set.Classes(), indexReal)
	if err != nil {
		return err
	}
	var real []*embed.Set
	for _, class := range set.Classes() {
		for _, p := range set.Pictures(class)[:indexReal] {
			real = append(real, features[p.Name])
		}
	}
	r := rand.New(rand.NewPCG(1, uint64(from)))
	noise := make([]float32, 1<<20)
	for i := range noise {
		noise[i] = float32(indexNoise * r.NormFloat64())
	}
	began := time.Now()
	for i := from; i < b.entries; i++ {
		picture := real[i%len(real)]
		if i >= len(real) {
			picture = perturbed(picture, noise[r.IntN(len(noise)-len(picture.Data)):])
		}
		if err := g.Add(fmt.Sprint(i), "", picture); err != nil {
			return err
		}
		if (i+1)%4096 == 0 {
			if err := g.Commit(); err != nil {
				return err
			}
		}
	}
	if err := g.Close(); err != nil {
		return err
	}
	took := time.Since(began)
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	b.row(fmt.Sprintf("adding %d pictures", b.entries-from), took.Seconds(), "s", fmt.Sprintf("%.0f a second without their embedding; %.2f kB each",
		float64(b.entries-from)/took.Seconds(), float64(info.Size())/float64(b.entries)/1e3))
	return nil
}

// perturbed is a picture whose nodes differ by noise, times each node's root mean square.
func perturbed(of *embed.Set, noise []float32) *embed.Set {
	set := &embed.Set{N: of.N, C: of.C, Data: make([]float32, len(of.Data))}
	for n := range of.N {
		square := float32(0)
		for _, v := range of.Node(n) {
			square += v * v
		}
		size := float32(math.Sqrt(float64(square / float32(of.C))))
		for c, v := range of.Node(n) {
			set.Node(n)[c] = v + size*noise[n*of.C+c]
		}
	}
	return set
}

// searchIndex searches an index.
func (b *bench) searchIndex(path string, queries []*embed.Set) error {
	began := time.Now()
	x, err := indexfile.Open(path)
	if err != nil {
		return err
	}
	defer x.Close()
	b.row("opening it", time.Since(began).Seconds()*1e3, "ms", "all but the nodes is checked")
	searches := []*indexSearch{
		{what: "a query, by global features alone", wanted: indexWanted},
		{what: fmt.Sprintf("a query, all of %d candidates wanted", indexCandidates), candidates: indexCandidates, wanted: indexCandidates},
		{what: fmt.Sprintf("a query, %d of %d candidates wanted", indexWanted, indexCandidates), candidates: indexCandidates, wanted: indexWanted},
	}
	for _, a := range searches {
		a.searcher = gallery.Searcher{Gallery: x, Candidates: a.candidates, Matcher: func() *match.Matcher { return new(match.Matcher) }}
	}
	for i, query := range queries { // they take turns
		for _, a := range searches {
			if err := a.search(query); err != nil {
				return err
			}
		}
		if all, few := searches[1].hits, searches[2].hits; !slices.Equal(few, all[:len(few)]) {
			return fmt.Errorf("query %d: the best %d are others where bounds leave matches out", i, len(few))
		}
	}
	for _, a := range searches {
		b.rows = append(b.rows, a.row())
	}
	if anonymous, err := anonymousMemory(); err == nil {
		b.row("anonymous memory", anonymous, "MB", "of this process")
	}
	features := make([][]float32, len(queries))
	for i, query := range queries {
		features[i] = make([]float32, x.Channels())
		if err := gallery.Global(features[i], query); err != nil {
			return err
		}
	}
	return b.graph(x.Index, features)
}

// indexSearch is a way to search, and what its searches took, in milliseconds.
type indexSearch struct {
	what               string
	candidates, wanted int
	searcher           gallery.Searcher

	hits                     []gallery.Hit // of the last query
	took, choosing, matching []float64
	solved                   int
}

func (a *indexSearch) search(query *embed.Set) error {
	began := time.Now()
	hits, timing, err := a.searcher.Search(query, a.wanted)
	if err != nil {
		return err
	}
	a.took = append(a.took, time.Since(began).Seconds()*1e3)
	a.choosing, a.matching = append(a.choosing, timing.Choosing.Seconds()*1e3), append(a.matching, timing.Matching.Seconds()*1e3)
	a.hits, a.solved = hits, a.solved+timing.Solved
	return nil
}

// row is the median of what the searches took, and of its parts.
func (a *indexSearch) row() row {
	for _, times := range [][]float64{a.took, a.choosing, a.matching} {
		slices.Sort(times)
	}
	n := len(a.took)
	note := fmt.Sprintf("%.1f ms to choose among all", a.choosing[n/2])
	if a.candidates > 0 {
		note += fmt.Sprintf(", %.1f ms to match, %d of them solved", a.matching[n/2], a.solved/n)
	}
	return row{What: a.what, Ours: a.took[n/2], Unit: "ms", Note: fmt.Sprintf("%s; slowest %.0f ms", note, a.took[n-1])}
}

// anonymousMemory is the memory of this process that no file has, in MB, as Linux says it.
func anonymousMemory() (float64, error) {
	status, err := os.Open("/proc/self/status")
	if err != nil {
		return 0, err
	}
	defer status.Close()
	for lines := bufio.NewScanner(status); lines.Scan(); {
		if text, ok := strings.CutPrefix(lines.Text(), "RssAnon:"); ok {
			var kilobytes float64
			_, err := fmt.Sscan(text, &kilobytes)
			return kilobytes / 1e3, err
		}
	}
	return 0, errors.New("no RssAnon in /proc/self/status")
}
