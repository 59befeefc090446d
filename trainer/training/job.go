package training

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/fewshot"
	"github.com/deepemd/deepemd/core/imaging"
	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/internal/netfile"
	"github.com/deepemd/deepemd/internal/plural"
	"github.com/deepemd/deepemd/trainer/data"
	"github.com/deepemd/deepemd/trainer/evaluate"
	"github.com/deepemd/deepemd/trainer/internal/backbone"
	"github.com/deepemd/deepemd/trainer/internal/device"
	"github.com/deepemd/deepemd/trainer/internal/learn"
)

// Reporter shows the progress before the first step. The zero value shows nothing.
type Reporter struct {
	Tell func(line string)
	Show evaluate.Show
	// Dir is the run's folder, which caches the result of long preparations; optional. It need not
	// exist yet.
	Dir string
	// Weights returns the weights of a network in the program, by name, and nil for a path; optional.
	// Settings can name these networks instead of files.
	Weights func(name string) ([]byte, error)
}

func (w Reporter) tell(format string, args ...any) {
	if w.Tell != nil {
		w.Tell(fmt.Sprintf(format, args...))
	}
}

func (w Reporter) show(what string, work func(evaluate.Progress) error) error {
	if w.Show != nil {
		return w.Show(what, work)
	}
	return work(func(int, int) {})
}

// Prepared is a prepared run. Close it at the end.
type Prepared struct {
	*Trainer  // the caller sets Dir and Watch
	io.Closer // of the images
}

// begin reads the initial network.
func (w Reporter) begin(path string) (*weights.File, error) {
	n, err := w.read("", path, true)
	if err != nil {
		return nil, err
	}
	return n.Widened(), nil
}

// read reads the network at a path, or the network in the program with this name, and notes an assumed
// normalization after the given text. all includes tensors outside the encoder.
func (w Reporter) read(of, path string, all bool) (*netfile.Network, error) {
	var own []byte
	if w.Weights != nil {
		var err error
		if own, err = w.Weights(path); err != nil {
			return nil, err
		}
	}
	n, err := netfile.Read(path, own, netfile.Facts{}, all)
	if err != nil {
		return nil, err
	}
	if note := netfile.Note(n.Meta); note != "" {
		w.tell("%s%s", of, note)
	}
	return n, nil
}

// build returns the network of a plan on a card, or on the processor if card is nil, with the
// weights of a file unless it is nil.
func build(plan backbone.Plan, s *learn.Settings, card device.Device, begin *weights.File) (*backbone.Network, error) {
	on := card
	if on == nil {
		var err error
		if on, err = device.Processor(s.Precision, s.Threads); err != nil {
			return nil, err
		}
	}
	net, err := plan.Build(s.Seed, backbone.Options{Threads: s.Threads, Device: on})
	if err == nil && begin != nil {
		err = net.Import(begin)
	}
	return net, err
}

// Pictures are the settings of the training data.
type Pictures struct {
	Data  string   `toml:"data"`  // see data.OpenSplit
	More  []string `toml:"more"`  // further data to join
	Split string   `toml:"split"` // empty for the split that comes with the data
	// MaxSide is the length to which the shorter side of larger images is scaled when they are
	// decoded; 0 disables scaling.
	MaxSide int `toml:"max_side"`
	// Corrupt is the reaction to unreadable images: stop or skip; empty is stop.
	Corrupt string `toml:"corrupt"`
}

// Values of Pictures.Corrupt.
const (
	CorruptStop = "stop"
	CorruptSkip = "skip"
)

// maxSide is more than the side of any image that can be decoded.
const maxSide = 1 << 16

// check returns an error that names the first invalid setting.
func (s *Pictures) check() error {
	switch {
	case s.Data == "":
		return errors.New("no data: set data to a zip archive or folder of images by class")
	case s.Corrupt != "" && s.Corrupt != CorruptStop && s.Corrupt != CorruptSkip:
		return fmt.Errorf("corrupt is %q, want stop or skip", s.Corrupt)
	case s.MaxSide < 0 || s.MaxSide > maxSide:
		return fmt.Errorf("max_side is %d, want a number of pixels up to %d, or 0", s.MaxSide, maxSide)
	}
	return nil
}

type openedData struct {
	set      *data.Set
	classes  []string  // for training
	validate Validate  // optional
	skip     *data.Set // the set if it skips damaged images, or nil
}

// open opens the data and describes them. Networks are validated with the embedder.
func (s *Pictures) open(ctx context.Context, w Reporter, run *learn.Settings, embedder embed.Embedder, unlabeled ...string) (d *openedData, err error) {
	if err := s.check(); err != nil {
		return nil, err
	}
	set, err := s.join(unlabeled)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			set.Close()
		}
	}()
	d = &openedData{set: set}
	if s.Corrupt == CorruptSkip {
		set.Skip()
		d.skip = set
	}
	set.LimitSide(s.MaxSide)
	val := []string(nil)
	if split := set.Split(); split == nil {
		w.tell("%s: %s; no split: %s, and no network is validated", set.Name(), set.Form(), plural.Count(len(set.Classes()), "class trains", "classes train"))
		d.classes = set.Classes()
	} else {
		unvalidated := ""
		if val = split.Val; len(val) == 0 {
			unvalidated = ": no network is validated"
		}
		w.tell("%s: %s; %v%s", set.Name(), set.Form(), split, unvalidated)
		if d.classes, err = split.Subset("train"); err != nil {
			return nil, err
		}
		parts := slices.Concat(split.Train, val, split.Test)
		outside := slices.DeleteFunc(slices.Clone(set.Classes()), func(class string) bool { return slices.Contains(parts, class) })
		if len(outside) > 0 { // such as classes of further data
			w.tell("classes in no part of the split, which do not train: %s", plural.First(outside, 5))
		}
	}
	for _, line := range data.Describe(set.Ignored()) {
		w.tell("%s", line)
	}
	if len(val) > 0 {
		if d.validate, err = validation(set, val, run, embedder); err != nil {
			return nil, err
		}
	}
	if err := set.Require(d.classes); err != nil {
		return nil, err
	}
	if err := evaluate.SameImages(ctx, set, slices.Concat(d.classes, val, []string{data.Unlabeled})); err != nil {
		return nil, err
	}
	if n := len(set.Pictures(data.Unlabeled)); n > 0 {
		w.tell("%s of %s without labels", plural.Count(n, "image", "images"), strings.Join(unlabeled, ", "))
	}
	if len(d.classes) == 1 {
		w.tell("only one class trains, %s, which teaches nothing: use a separate folder for each class", d.classes[0])
	}
	set.KeepDecoded()
	return d, nil
}

// join opens and joins all data, with and without labels.
func (s *Pictures) join(unlabeled []string) (set *data.Set, err error) {
	var sets []*data.Set
	defer func() {
		if err != nil {
			for _, set := range sets {
				set.Close()
			}
		}
	}()
	labeled := 1 + len(s.More)
	for i, name := range slices.Concat([]string{s.Data}, s.More, unlabeled) {
		var set *data.Set
		switch {
		case i == 0:
			set, err = data.OpenSplit(name, s.Split)
		case i < labeled:
			set, err = data.OpenSplit(name, "")
		default:
			set, err = data.OpenUnclassified(name)
		}
		if err != nil {
			return nil, err
		}
		sets = append(sets, set)
	}
	return data.Join(sets[:labeled], sets[labeled:])
}

// validation measures 5-way 1-shot episodes with DeepEMD, the same ones every time.
func validation(set *data.Set, classes []string, s *learn.Settings, embedder embed.Embedder) (Validate, error) {
	const way, shot, query = 5, 1, 15
	if len(classes) < way {
		return nil, fmt.Errorf("%s: the part val of the split has %s, and validation needs %d: move classes there, or leave val empty to train without validation", set.Name(), plural.Count(len(classes), "class", "classes"), way)
	}
	sampler, err := data.NewSampler(set, classes, way, shot, query, s.Seed)
	if err != nil {
		return nil, fmt.Errorf("validation: %w (or leave val of the split empty to train without validation)", err)
	}
	episodes := sampler.Episodes(s.ValidationEpisodes)
	names := data.Names(episodes)
	embedAll := func(ctx context.Context, s *learn.Settings, f *weights.File) (evaluate.Features, error) {
		net, done, err := encoder(ctx, s, f)
		if err != nil {
			return nil, err
		}
		defer done()
		return evaluate.Extract(ctx, names, set.Image, evaluate.Extraction{
			Encoder: net, Embedder: embedder, Threads: s.Threads,
			Preprocess: imaging.Preprocess{Size: f.Meta.InputSize, Mean: f.Meta.Mean, Std: f.Meta.Std},
		})
	}
	return func(ctx context.Context, f *weights.File) (float64, float64, error) {
		features, err := embedAll(ctx, s, f)
		if errors.Is(err, device.ErrMemory) { // the training needs the card's memory
			processor := *s
			processor.CardMemory = 0
			features, err = embedAll(ctx, &processor, f)
		}
		if err != nil {
			return 0, 0, err
		}
		result, err := evaluate.Run(ctx, features, episodes, evaluate.Config{
			Way: way, Threads: s.Threads,
			Classifier: func() fewshot.Classifier { return &fewshot.Prototype{} },
		})
		if err != nil {
			return 0, 0, err
		}
		return result.Mean, result.Interval, nil
	}, nil
}
