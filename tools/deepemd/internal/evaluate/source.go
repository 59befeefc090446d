package evaluate

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"time"

	"github.com/deepemd/deepemd/core/method"
	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/tools/deepemd/internal/flags"
	"github.com/deepemd/deepemd/tools/deepemd/internal/verb"
	"github.com/deepemd/deepemd/trainer/data"
	"github.com/deepemd/deepemd/trainer/evaluate"
)

type source struct {
	*data.Set
	features evaluate.Features // from --features, or nil until they are embedded
	net      *flags.Encoder    // nil with --features
	data     string            // the name of the images' data
	how      flags.How         // as far as it is known
}

// openSource opens a dataset, or a file of features. The caller closes its set.
func openSource(stderr io.Writer, dataset, features, split string, u *flags.Unreadable, given func(flag string) bool) (*source, error) {
	switch {
	case features != "":
		if err := flags.Refuse(given, "cannot be combined with --features, which uses neither images nor a network: remove one of the two",
			"data", "weights", "mean", "std", "size", "resize", "embedder", "pyramid", "grid", "ratio", "patches", "patch-seed", "disturb"); err != nil {
			return nil, err
		}
		stored, set, list, err := evaluate.ReadFeatures(features, split)
		if err != nil {
			return nil, err
		}
		how := flags.How{Network: list.Network, Size: list.Size, Resize: list.Resize, Embedding: list.Embedding}
		return &source{set, stored, nil, cmp.Or(list.Data, set.Name()), how}, nil
	case dataset == "":
		return nil, errors.New("--data is missing: give the zip archive or folder of images by class")
	}
	set, err := data.OpenSplit(dataset, split)
	if err != nil {
		return nil, err
	}
	if err := u.Files(stderr, set.Ignored()); err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", dataset, err), set.Close())
	}
	return &source{Set: set, data: set.Name()}, nil
}

// openNetwork opens the network that embeds the named images.
func (s *source) openNetwork(ctx context.Context, stderr io.Writer, f *flags.Network, m method.Method, facts weights.Meta, names []string) (err error) {
	if s.net, err = f.OpenOn(ctx, stderr, m.Embedder, facts); err != nil {
		return err
	}
	if err := s.net.Restrict(ctx, s.Set); err != nil {
		return err
	}
	s.how = s.net.How(m)
	noteSeen(stderr, s.net.Network.Meta(), s.ClassesOf(names))
	return nil
}

// list lists the episodes, with unknown images if --unknown is set.
func (o *evalOptions) list(set *data.Set, classifiers []flags.Chosen, given func(flag string) bool) (*episodeList, error) {
	list, err := o.episodes.list(set, given)
	if err != nil {
		return nil, err
	}
	return list, o.drawUnknown(set, list, classifiers, given)
}

// open lists the episodes and completes the features of their images. It also returns the time of
// embedding them.
func (o *evalOptions) open(ctx context.Context, stderr io.Writer, images *source, classifiers []flags.Chosen, given func(flag string) bool) (*episodeList, time.Duration, error) {
	list, err := o.list(images.Set, classifiers, given)
	if err != nil {
		return nil, 0, err
	}
	if len(list.episodes) == 1 {
		fmt.Fprintln(stderr, "note: one episode gives no confidence interval: each is 0")
	}
	if stored := images.features; stored != nil {
		images.features, err = featuresOf(list.names(), images.Set, stored)
		return list, 0, err
	}
	if err := images.openNetwork(ctx, stderr, &o.network, classifiers[0].Method, list.facts, list.names()); err != nil {
		return nil, 0, err
	}
	if m, pre := list.facts, images.net.Preprocess; m.Std != ([3]float32{}) && (m.Mean != pre.Mean || m.Std != pre.Std) {
		fmt.Fprintf(stderr, "note: %s states mean %v, std %v, but %v, %v are used (--mean and --std change them)\n",
			o.episodes.episodes, m.Mean, m.Std, pre.Mean, pre.Std)
	}
	start := time.Now()
	list, err = o.embed(ctx, stderr, images, list, func() (*episodeList, error) { return o.list(images.Set, classifiers, given) })
	return list, time.Since(start), err
}

// featuresOf returns the stored features of images by the names of a list of episodes, which may belong
// to another copy of the images.
func featuresOf(names []string, set *data.Set, stored evaluate.Features) (evaluate.Features, error) {
	features := evaluate.Features{}
	for _, name := range names {
		picture, err := set.Find(name)
		if err != nil {
			return nil, err
		}
		features[name] = stored[picture.Name]
	}
	return features, nil
}

// embed embeds the images of the episodes. If some images are unreadable, it removes them from the
// set and draws the episodes again, until all are readable. It removes listed episodes with an
// unreadable image.
func (o *evalOptions) embed(ctx context.Context, stderr io.Writer, images *source, list *episodeList, again func() (*episodeList, error)) (*episodeList, error) {
	features := evaluate.Features{}
	for {
		missing := slices.DeleteFunc(list.names(), func(name string) bool { return features[name] != nil })
		show := verb.ProgressOn(stderr).Of("images embedded")
		embedded, err := o.unreadable.Extract(ctx, missing, images.Image, images.net.Extraction(show))
		if err != nil {
			return nil, err
		}
		maps.Copy(features, embedded)
		left := o.unreadable.Report(stderr)
		if len(left) == 0 {
			break
		}
		if list.listed {
			if err := list.removeUnreadable(features); err != nil {
				return nil, err
			}
			break
		}
		var names []string
		for _, d := range left {
			names = append(names, d.Name)
		}
		images.Remove(names)
		if list, err = again(); err != nil {
			return nil, fmt.Errorf("without the images that cannot be read: %w", err)
		}
	}
	flags.NoteProfiles(stderr, images.Set)
	images.features = evaluate.Features{} // without the images of earlier draws
	for _, name := range list.names() {
		images.features[name] = features[name]
	}
	return list, nil
}

// leftOut states the number of images that did not take part, for people.
func leftOut(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(" (without %d that cannot be read)", n)
}
