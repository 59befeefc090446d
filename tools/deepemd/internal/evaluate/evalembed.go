package evaluate

import (
	"context"
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/tools/deepemd/internal/flags"
	"github.com/deepemd/deepemd/tools/deepemd/internal/verb"
	"github.com/deepemd/deepemd/trainer/data"
	"github.com/deepemd/deepemd/trainer/evaluate"
)

// list lists the episodes, with unknown images if --unknown is set.
func (o *evalOptions) list(set *data.Set, classifiers []flags.Chosen, given func(flag string) bool) (*episodeList, error) {
	list, err := o.episodes.list(set, given)
	if err != nil {
		return nil, err
	}
	return list, o.drawUnknown(set, list, classifiers, given)
}

// embed embeds the images of the episodes and returns their features. If some images are
// unreadable, it removes them from the set and draws the episodes again, until all are readable. It
// removes listed episodes with an unreadable image.
func (o *evalOptions) embed(ctx context.Context, stderr io.Writer, set *data.Set, list *episodeList, net *flags.Encoder, again func() (*episodeList, error)) (evaluate.Features, *episodeList, error) {
	features := evaluate.Features{}
	for {
		missing := slices.DeleteFunc(list.names(), func(name string) bool { return features[name] != nil })
		embedded, err := verb.WithProgressOf(stderr, "images embedded", func(show evaluate.Progress) (evaluate.Features, error) {
			return evaluate.Extract(ctx, missing, set.Image, o.unreadable.Extraction(net.Extraction(show)))
		})
		if err != nil {
			return nil, nil, err
		}
		maps.Copy(features, embedded)
		left := o.unreadable.Report(stderr)
		if len(left) == 0 {
			break
		}
		if list.listed {
			if err := list.removeUnreadable(features); err != nil {
				return nil, nil, err
			}
			break
		}
		var names []string
		for _, d := range left {
			names = append(names, d.Name)
		}
		set.Remove(names)
		if list, err = again(); err != nil {
			return nil, nil, fmt.Errorf("without the images that cannot be read: %w", err)
		}
	}
	flags.NoteProfiles(stderr, set)
	took := map[string]bool{}
	for _, name := range list.names() {
		took[name] = true
	}
	maps.DeleteFunc(features, func(name string, _ *embed.Set) bool { return !took[name] })
	return features, list, nil
}

// leftOut states the number of images that did not take part, for people.
func leftOut(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(" (without %d that cannot be read)", n)
}
