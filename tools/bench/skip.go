package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/fewshot"
	"github.com/deepemd/deepemd/core/imaging"
	"github.com/deepemd/deepemd/core/network/resnet12s"
	"github.com/deepemd/deepemd/core/resnet"
	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/trainer/data"
	extract "github.com/deepemd/deepemd/trainer/measure/evaluate"
)

const (
	skipShots   = 5
	skipQueries = 2 // of each class
)

// bounding is a classifier that says which scores are bounds only.
type bounding interface {
	fewshot.Classifier
	Bounded() []bool
}

// skip counts how many transport problems are left out with few and many classes of
// real pictures, and checks that the best class is the same.
func skip(b *bench) error {
	set, err := data.Open(b.pictures)
	if err != nil {
		b.peerNotes["pictures, so nothing is measured"] = fmt.Sprintf("%v: name others with -pictures", err)
		return nil
	}
	defer set.Close()
	features, err := b.embedded(set, set.Classes(), skipShots+skipQueries)
	if err != nil {
		return err
	}
	classes := slices.Clone(set.Classes())
	rand.New(rand.NewPCG(1, 1)).Shuffle(len(classes), func(i, j int) { classes[i], classes[j] = classes[j], classes[i] })
	for _, way := range []int{5, 20, 100} {
		if way > len(classes) {
			break
		}
		var support []fewshot.Class
		var queries []*embed.Set
		for _, class := range classes[:way] {
			c := fewshot.Class{Name: class}
			for i, p := range set.Pictures(class)[:skipShots+skipQueries] {
				if i < skipShots {
					c.Support = append(c.Support, features[p.Name])
				} else {
					queries = append(queries, features[p.Name])
				}
			}
			support = append(support, c)
		}
		for name, both := range map[string][2]bounding{
			"prototype": {&fewshot.Prototype{}, &fewshot.Prototype{Skip: true}},
			"nearest":   {&fewshot.Nearest{}, &fewshot.Nearest{Skip: true}},
		} {
			if err := b.skipped(fmt.Sprintf("%d classes, %s", way, name), both, support, queries); err != nil {
				return err
			}
		}
	}
	return nil
}

// skipped adds the row of one classifier.
func (b *bench) skipped(what string, both [2]bounding, support []fewshot.Class, queries []*embed.Set) error {
	var took [2]time.Duration
	var best [2][]int
	bounds := 0
	for i, classifier := range both {
		if err := classifier.Fit(support); err != nil {
			return err
		}
		var scores []float64
		begin := time.Now()
		for _, query := range queries {
			var err error
			if scores, err = classifier.Scores(scores, query); err != nil {
				return err
			}
			best[i] = append(best[i], slices.Index(scores, slices.Max(scores)))
			for _, bounded := range classifier.Bounded() {
				if bounded {
					bounds++
				}
			}
		}
		took[i] = time.Since(begin)
	}
	if !slices.Equal(best[0], best[1]) {
		return fmt.Errorf("%s: other classes win where some are skipped", what)
	}
	each := took[1].Seconds() * 1e3 / float64(len(queries))
	b.row(what, each, "ms", fmt.Sprintf("%.0f%% of the classes skipped; without skipping %.2f ms",
		100*float64(bounds)/float64(len(queries)*len(support)), took[0].Seconds()*1e3/float64(len(queries))))
	return nil
}

// embedded are the local embeddings of the first pictures of classes, by the default
// network.
func (b *bench) embedded(set *data.Set, classes []string, each int) (extract.Features, error) {
	var names []string
	for _, class := range classes {
		pictures := set.Pictures(class)
		if len(pictures) < each {
			return nil, fmt.Errorf("%s: class %s has %d pictures, want %d: name others with -pictures", set.Name(), class, len(pictures), each)
		}
		for _, p := range pictures[:each] {
			names = append(names, p.Name)
		}
	}
	return b.embeddedByName(set, names)
}

// embeddedByName are the local embeddings of pictures, by the default network.
func (b *bench) embeddedByName(set *data.Set, names []string) (extract.Features, error) {
	file, err := weights.Decode(resnet12s.File, resnet12s.Weights())
	if err != nil {
		return nil, err
	}
	network, err := resnet.New(file, resnet.Options{})
	if err != nil {
		return nil, err
	}
	pre := imaging.Preprocess{Size: file.Meta.InputSize, Mean: file.Meta.Mean, Std: file.Meta.Std}
	return extract.Extract(context.Background(), names, set.Image, extract.Extraction{Encoder: network, Preprocess: pre})
}
