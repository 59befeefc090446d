package conformance

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"deepemd/core/embed"
)

// Options say how much is compared, and how.
type Options struct {
	// Episodes bounds the episodes of each setting; 0 for all.
	Episodes int
	// Threads bounds the goroutines; 0 for all cores.
	Threads int
}

// Suite is a part of the comparison that needs its own files.
type Suite struct {
	Name  string
	files []string
	run   func(context.Context, Options) ([]Check, error)
}

// Suites returns the comparisons with the data in the folder shared, which has
// the sub-folders reference and datasets. Nothing is read yet.
func Suites(shared string) []Suite {
	cifar, tiny := cifar(shared), tiny(shared)
	return []Suite{
		{
			Name:  "transport",
			files: []string{filepath.Join(shared, "reference", "transport.json")},
			run:   func(context.Context, Options) ([]Check, error) { return transport(shared) },
		},
		cifar.suite(func(ctx context.Context, opt Options) ([]Check, error) {
			return collect(
				func() ([]Check, error) { return cifar.activations(cifar.preprocess(84, 92)) },
				cifar.pair,
				func() ([]Check, error) {
					return cifar.logits(ctx, "fcn_32", embed.FCN{}, cifar.preprocess(32, 0), opt)
				},
				func() ([]Check, error) {
					return cifar.logits(ctx, "fcn_84", embed.FCN{}, cifar.preprocess(84, 92), opt)
				},
				func() ([]Check, error) {
					return cifar.logits(ctx, "fcn_84_pyramid_2_1", embed.FCN{Pyramid: []int{2, 1}}, cifar.preprocess(84, 92), opt)
				},
			)
		}),
		tiny.suite(func(ctx context.Context, opt Options) ([]Check, error) {
			return collect(
				func() ([]Check, error) { return tiny.activations(tiny.preprocess(64, 0)) },
				func() ([]Check, error) {
					return tiny.logits(ctx, "fcn_64", embed.FCN{}, tiny.preprocess(64, 0), opt)
				},
			)
		}),
	}
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

// Run makes the suite's comparisons. Checks that do not pass are no error;
// files that cannot be read and the like are.
func (s Suite) Run(ctx context.Context, opt Options) ([]Check, error) {
	checks, err := s.run(ctx, opt)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.Name, err)
	}
	return checks, nil
}

// suite is the suite of one published network, which is open while it runs.
func (r *reference) suite(run func(context.Context, Options) ([]Check, error)) Suite {
	return Suite{Name: r.name, files: r.files(), run: func(ctx context.Context, opt Options) ([]Check, error) {
		if err := r.open(opt.Threads); err != nil {
			return nil, err
		}
		defer r.close()
		return run(ctx, opt)
	}}
}

// collect runs comparisons one after the other until one fails.
func collect(runs ...func() ([]Check, error)) ([]Check, error) {
	var all []Check
	for _, run := range runs {
		checks, err := run()
		if err != nil {
			return nil, err
		}
		all = append(all, checks...)
	}
	return all, nil
}
