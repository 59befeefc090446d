//go:build !js

package share_test

import (
	"bytes"
	"math"
	"os"
	"os/exec"
	"slices"
	"testing"

	"github.com/deepemd/deepemd/core/learner"
	"github.com/deepemd/deepemd/core/network"
	"github.com/deepemd/deepemd/core/project"
	"github.com/deepemd/deepemd/core/project/archive"
	"github.com/deepemd/deepemd/core/sound"
	"github.com/deepemd/deepemd/internal/browsertest"
	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/web/internal/studiotest"
)

// within is the maximum difference of scores, and the minimum distance of an image from the
// threshold for its verdict to count.
const within = 1e-4

// answer is the answer of one implementation to a query.
type answer struct {
	scores  map[string]float64 // by label
	best    string
	unknown bool
}

// Classes of unequal size, and unknown images among the queries. The PNG files have the network's
// input size, so that nothing scales them.
func TestPicturesAreAnsweredTheSameEverywhere(t *testing.T) {
	classes := []class{
		{"Teapot", studiotest.Inputs(t, "n04398044", 0, 7)},
		{"Koala", studiotest.Inputs(t, "n01882714", 0, 2)},
		{"Trolleybus", studiotest.Inputs(t, "n04487081", 0, 4)},
	}
	var queries []string
	for _, wordnet := range []string{"n04398044", "n01882714", "n04487081"} {
		queries = append(queries, studiotest.Inputs(t, wordnet, 20, 24)...)
	}
	for _, wordnet := range []string{"n02123394", "n07695742", "n01774750"} { // Persian cat, pretzel, tarantula
		queries = append(queries, studiotest.Inputs(t, wordnet, 0, 3)...)
	}
	same(t, project.KindImage, classes, queries)
}

func TestSoundsAreAnsweredTheSameEverywhere(t *testing.T) {
	speakers := []string{"george", "jackson", "theo", "nicolas"}
	record := func(digit, from, to int) (files []string) {
		for i := from; i < to; i++ {
			files = append(files, studiotest.Recording(t, studiotest.Spoken(t, digit, speakers[i%len(speakers)], i/len(speakers))))
		}
		return files
	}
	classes := []class{{"Seven", record(7, 0, 4)}, {"Zero", record(0, 0, 2)}, {"Two", record(2, 0, 3)}}
	queries := slices.Concat(record(7, 8, 12), record(0, 8, 12), record(2, 8, 12), record(9, 0, 4), record(6, 0, 4))
	same(t, project.KindSound, classes, queries)
}

// same fails the test unless all implementations agree on queries.
func same(t *testing.T, kind string, classes []class, queries []string) {
	t.Helper()
	browsertest.InEach(t, func(t *testing.T, browser browsertest.Kind) {
		s := studiotest.Open(t, browsertest.Options{Kind: browser}, studiotest.Spy)
		weights, hearing := network.ResNet12PhotoWeights(), learner.Hearing(nil)
		if kind == project.KindSound {
			s.Hear()
			weights, hearing = network.ResNet12SoundWeights(), sound.ForLearner()
		}
		s.Ready()
		file := teach(s, classes)
		s.WaitFor(`document.querySelector("#share-page").ariaDisabled === "false"`)
		s.Click("#share-page")
		page := s.Saved(".html")

		want, margins := natively(t, file, queries, weights, hearing)
		compare(t, "the studio", inStudio(s, queries), want, margins)
		compare(t, "the shared page", shared(t, browser, page, queries), want, margins)
		if browser.Name == browsertest.Chromium.Name { // the programs are the same with each browser
			deepemd := program(t)
			compare(t, "the command", command(t, deepemd, file, queries), want, margins)
			inNode(t, kind, file, queries, want, margins)
			another := share(t, deepemd, file)
			compare(t, "the command's shared page", shared(t, browser, another, queries), want, margins)
			samePage(t, page, another)
		}
		both(t, want)
		s.Quiet()
	})
}

// class is a class with its files.
type class struct {
	label string
	files []string
}

// teach teaches classes, opens the dialog of projects, and saves the project as a file.
func teach(s *studiotest.Studio, classes []class) (file string) {
	s.T.Helper()
	s.Click("#add-class")
	s.WaitCount(".cards .card", len(classes))
	for i, c := range classes {
		s.Name(i+1, c.label)
		s.Give(i+1, c.files...)
		s.WaitCount(studiotest.Card(i+1)+" .thumbnail", len(c.files))
	}
	s.IsKept()
	s.OpenDialog("#open-projects", "#projects")
	s.Click("#save-file")
	return s.Saved(".deepemd")
}

// natively answers with core/learner, and returns the distance of each query from the threshold.
func natively(t *testing.T, path string, queries []string, network []byte, ear learner.Hearing) (answers []answer, margins []float64) {
	t.Helper()
	data := require.Value(os.ReadFile(path))(t)
	file := require.Value(archive.Read(bytes.NewReader(data), int64(len(data))))(t)
	blank := require.Value(learner.OpenWith(network, learner.Options{Kit: learner.AllParts(), Hearing: ear, Digest: archive.Digest(network)}))(t)
	l := require.Value(archive.Open(file, blank))(t)
	if m := l.Method(); !m.Balance || !m.Strangers.Name {
		t.Fatalf("the studio's method is %v: want one that balances classes and names strangers", m)
	}
	for _, path := range queries {
		data := require.Value(os.ReadFile(path))(t)
		said := require.Value(l.Model().Classify(learner.Picture{Data: data}))(t)
		a := answer{scores: map[string]float64{}, best: said.Scores[0].Label, unknown: said.Unknown()}
		for _, s := range said.Scores {
			a.scores[s.Label] = s.Score
		}
		answers = append(answers, a)
		margins = append(margins, said.Verdict.Score-said.Verdict.Threshold)
	}
	return answers, margins
}

// compare fails the test if answers differ from the expected ones.
func compare(t *testing.T, who string, got, want []answer, margins []float64) {
	t.Helper()
	worst := 0.0
	for i, w := range want {
		if len(got[i].scores) != len(w.scores) {
			t.Errorf("query %d: %s scores %d classes, the learner %d", i+1, who, len(got[i].scores), len(w.scores))
			continue
		}
		for label, score := range w.scores {
			d := math.Abs(got[i].scores[label] - score)
			worst = max(worst, d)
			if !(d <= within) {
				t.Errorf("query %d: %s gives %s %.6f, the learner %.6f", i+1, who, label, got[i].scores[label], score)
			}
		}
		if math.Abs(margins[i]) <= within {
			continue
		}
		if got[i].unknown != w.unknown || !w.unknown && got[i].best != w.best {
			t.Errorf("query %d, %+.4f from the threshold: %s says %s, the learner %s", i+1, margins[i], who, got[i].verdict(), w.verdict())
		}
	}
	t.Logf("%s: %d queries, scores within %.1e", who, len(want), worst)
}

// inNode compares the answers of a program for Node, if Node is installed.
func inNode(t *testing.T, kind, file string, queries []string, want []answer, margins []float64) {
	t.Run("node", func(t *testing.T) {
		if _, err := exec.LookPath("node"); err != nil {
			t.Skip("no node here: install nodejs (20 or later) to compare its answers")
		}
		compare(t, "a program for Node", node(t, kind, file, queries), want, margins)
	})
}

// both fails the test unless there are known and unknown queries.
func both(t *testing.T, answers []answer) {
	t.Helper()
	unknown := 0
	for _, a := range answers {
		if a.unknown {
			unknown++
		}
	}
	t.Logf("%d of %d queries are unknown", unknown, len(answers))
	if unknown == 0 || unknown == len(answers) {
		t.Errorf("%d of %d queries are unknown: verdicts are not compared", unknown, len(answers))
	}
}

// verdict returns a label, or "unknown".
func (a answer) verdict() string {
	if a.unknown {
		return "unknown"
	}
	return a.best
}
