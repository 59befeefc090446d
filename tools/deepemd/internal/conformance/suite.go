package conformance

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/deepemd/deepemd/core/embed"
)

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
