package evaluate

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/deepemd/deepemd/core/gallery"

	"github.com/deepemd/deepemd/internal/cluster"
	"github.com/deepemd/deepemd/trainer/data"
)

// fillBatch is how many pictures are embedded before they are written.
const fillBatch = 256

// Fill embeds the pictures named and adds them to an index, with their classes by name,
// and returns those that could not be read. Pictures that the index has are passed over, and
// each batch is committed: after an end in between, Fill goes on from there. The ranks of the
// context's group (cluster.Of) share each batch; the first one has the index, which is nil
// elsewhere.
//
// # Errors
//
// Those of embedding and writing; the context's when it is cancelled; none of several
// pictures that can be read.
func FillIndex(ctx context.Context, index *gallery.Writer, names []string, classes map[string]string, read Reader, x Extraction) (skipped []*data.Damaged, err error) {
	progress := x.Progress
	x.Progress = nil
	missing := slices.Clone(names)
	if index != nil {
		missing = slices.DeleteFunc(missing, index.Has)
	}
	if err := cluster.Tell(cluster.Of(ctx), &missing); err != nil {
		return nil, err
	}
	done := len(names) - len(missing)
	if progress != nil {
		progress(done, len(names))
	}
	for batch := range slices.Chunk(missing, fillBatch) {
		batch := slices.Clone(batch)
		done += len(batch)
		var features Features
		for features == nil {
			features, err = Extract(ctx, batch, read, x)
			var damaged *data.Damaged
			if errors.As(err, &damaged) {
				skipped = append(skipped, damaged)
				batch = slices.DeleteFunc(batch, func(name string) bool { return name == damaged.Name })
				continue
			}
			if err != nil {
				return nil, err
			}
		}
		if index == nil {
			continue
		}
		for _, name := range batch {
			if err := index.Add(name, classes[name], features[name]); err != nil {
				return nil, err
			}
		}
		if err := index.Commit(); err != nil {
			return nil, err
		}
		if progress != nil {
			progress(done, len(names))
		}
	}
	if index != nil && index.Len() == 0 && len(skipped) > 0 {
		return nil, fmt.Errorf("none of the %d pictures can be read: %w", len(skipped), skipped[0])
	}
	return skipped, nil
}
