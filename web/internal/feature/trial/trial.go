// Package trial is the feature that tests the classifier with images or sounds of known classes.
package trial

import (
	"cmp"
	"context"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/deepemd/deepemd/core/method"
	"github.com/deepemd/deepemd/internal/folders"
	"github.com/deepemd/deepemd/web/internal/kernel"
	"github.com/deepemd/deepemd/web/internal/texts"
)

// mostWrong is the maximum number of misclassified files to show.
const mostWrong = 60

// State is the progress and the result of a test.
type State struct {
	Running  bool
	Progress kernel.Progress
	// Counts are the numbers of files by true and predicted class; "" stands for unknown, in both.
	Counts map[[2]string]int
	Right  int
	All    int
	// Best is the number of files whose most probable class is right, of the Known files of taught
	// classes: the result without unknown.
	Best, Known int
	Wrong       []Wrong
	Broken      []string // files that cannot be read
	// Others are the names of folders that are not a class. Their files should be unknown.
	Others []string
	// Old reports that examples, classes or the method have changed since the test.
	Old bool

	by    subject // the tested classifier
	mixed bool    // it changed during the test
}

// Wrong is a misclassified file.
type Wrong struct {
	File  kernel.File
	Class string // "" for unknown
	Taken string

	number int // unique among all files that were tested
}

// Trial tests the classifier.
type Trial struct {
	kernel.Part
	seen kernel.Revisions

	state *State             // nil before the first test
	given []kernel.File      // files of the latest test
	stop  context.CancelFunc // stops the test
	over  bool               // files are dragged over the view
	files int                // number of files of all tests
}

// follow closes the test of another project.
func (t *Trial) follow() {
	if t.News(&t.seen).Project > 0 {
		t.Close()
	}
}

// New returns the test of a kernel.
func New(k *kernel.Kernel) *Trial {
	t := &Trial{K: k, stop: func() {}}
	k.Follow(t.follow)
	return t
}

// Pair is a kind of mistake: files of one class that were classified as another.
type Pair struct {
	Class, Taken string // "" for unknown
	Count        int
	Wrong        []Wrong // at most [mostWrong] of all pairs
}

// Pairs returns the kinds of mistakes, the most frequent first.
func (s *State) Pairs() (pairs []Pair) {
	for key, n := range s.Counts {
		if key[0] != key[1] {
			pair := Pair{Class: key[0], Taken: key[1], Count: n}
			for _, w := range s.Wrong {
				if w.Class == pair.Class && w.Taken == pair.Taken {
					pair.Wrong = append(pair.Wrong, w)
				}
			}
			pairs = append(pairs, pair)
		}
	}
	slices.SortFunc(pairs, func(a, b Pair) int {
		return cmp.Or(b.Count-a.Count, strings.Compare(a.Class, b.Class), strings.Compare(a.Taken, b.Taken))
	})
	return pairs
}

// State returns the progress and the result of a test; nil before the first.
func (t *Trial) State() *State {
	state := t.copied()
	if state != nil && state.All > 0 {
		state.Old = state.mixed || !state.by.same(t.subject())
	}
	return state
}

func (t *Trial) copied() *State {
	t.Lock()
	defer t.Unlock()
	if t.state == nil {
		return nil
	}
	state := *t.state
	state.Counts = maps.Clone(state.Counts)
	state.Wrong, state.Broken = slices.Clone(state.Wrong), slices.Clone(state.Broken)
	return &state
}

// Start classifies files whose folders are named after their classes. Files in other folders should
// be unknown.
func (t *Trial) Start(given []kernel.File) {
	t.Stop()
	if t.K.Engine.Get() == nil {
		return
	}
	tests, others := t.sort(given)
	t.Lock()
	for i := range tests {
		t.files++
		tests[i].number = t.files
	}
	t.Unlock()
	if !slices.ContainsFunc(tests, func(w Wrong) bool { return w.Class != "" }) {
		t.refuse(func(words *texts.Texts) string {
			if len(tests) > 0 {
				return words.Improve.NoMatch
			}
			return words.Improve.NoFolders
		})
		return
	}
	ctx, stop := context.WithCancel(context.Background())
	state := &State{Running: true, Counts: map[[2]string]int{}, Progress: kernel.Progress{All: len(tests)}, Others: others}
	t.Update(func() { t.state, t.given, t.stop = state, given, stop })
	barrier := t.K.Engine.Barrier()
	go func() {
		<-barrier
		t.run(ctx, state, tests)
		t.Update(func() { state.Running = false })
	}()
}

// Again repeats the latest test.
func (t *Trial) Again() { t.Start(kernel.Get(&t.Part, &t.given)) }

// sort returns the files with their true classes, and the folders that are not a class. Folders are
// classes like in imports (see package folders); otherwise, the nearest folder with the name of a
// class counts. Files outside of all folders are left out.
func (t *Trial) sort(files []kernel.File) (tests []Wrong, others []string) {
	files = slices.DeleteFunc(slices.Clone(files), func(f kernel.File) bool { return !strings.Contains(f.Path, "/") })
	paths := make([]string, len(files))
	for i, f := range files {
		paths[i] = f.Path
	}
	classes := t.K.Classes.List()
	for i, place := range folders.Places(paths) {
		id := ""
		names := strings.Split(path.Dir(paths[i]), "/")
		for _, name := range append(names, place.Class) { // the last one wins
			for _, c := range classes {
				if strings.EqualFold(c.Label, name) && len(c.Examples) > 0 && !c.Disabled {
					id = c.ID
				}
			}
		}
		if id == "" && place.Class == "" {
			continue
		}
		if id == "" && !slices.Contains(others, place.Class) {
			others = append(others, place.Class)
		}
		tests = append(tests, Wrong{File: files[i], Class: id})
	}
	return tests, others
}

// run classifies the files until the context is done.
func (t *Trial) run(ctx context.Context, state *State, tests []Wrong) {
	engine, by := t.K.Engine.Get(), t.subject()
	t.Update(func() { state.by = by })
	for i, test := range tests {
		if ctx.Err() != nil {
			return
		}
		answer, err := engine.Classify(test.File.Source, false)
		if err != nil && !kernel.Unusable(err) {
			t.K.Notices.Trouble(err)
			return
		}
		best := answer.Best()
		taken := best
		if answer.Unknown() {
			taken = ""
		}
		changed := !by.same(t.subject())
		t.Update(func() {
			state.Progress.Done = i + 1
			state.mixed = state.mixed || changed
			if err != nil {
				state.Broken = append(state.Broken, test.File.Name)
				return
			}
			state.Counts[[2]string{test.Class, taken}]++
			state.All++
			if test.Class != "" {
				state.Known++
			}
			if test.Class != "" && test.Class == best {
				state.Best++
			}
			switch {
			case taken == test.Class:
				state.Right++
			case len(state.Wrong) < mostWrong:
				test.Taken = taken
				state.Wrong = append(state.Wrong, test)
			}
		})
	}
}

// Stop stops a test; its result so far stays.
func (t *Trial) Stop() { kernel.Get(&t.Part, &t.stop)() }

// Close stops a test and hides its result.
func (t *Trial) Close() {
	t.Stop()
	t.Update(func() { t.state, t.given = nil, nil })
}

// Unreadable reports a folder or archive that cannot be read.
func (t *Trial) Unreadable(name string) {
	t.refuse(func(words *texts.Texts) string { return words.Improve.BadZip(name) })
}

// refuse reports that there is nothing to test, and why.
func (t *Trial) refuse(why func(*texts.Texts) string) {
	t.K.Notices.Post(kernel.Warn(kernel.NoticeFiles, nil, func(words *texts.Texts) (title, text string) {
		return words.Improve.NothingToTest, why(words)
	}))
}

// subject identifies a classifier: everything that its answers depend on.
type subject struct {
	method   method.Method
	network  string // its fingerprint
	learned  bool
	examples string // of the enabled classes
}

// same reports whether two classifiers give the same answers.
func (s subject) same(o subject) bool {
	return s.method.Equal(o.method) && s.network == o.network && s.learned == o.learned && s.examples == o.examples
}

// subject returns the present classifier.
func (t *Trial) subject() subject {
	s := subject{method: t.K.Setup.Method(), network: t.K.Engine.State().Info.Fingerprint}
	if engine := t.K.Engine.Get(); engine != nil {
		s.learned = engine.Learned()
	}
	for _, c := range append(t.K.Classes.List(), t.K.Classes.Nothing()...) {
		if !c.Disabled && len(c.Examples) > 0 {
			s.examples += c.ID + " " + strings.Join(c.Examples, " ") + "\n"
		}
	}
	return s
}
