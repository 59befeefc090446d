package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"time"

	"github.com/BurntSushi/toml"
	"github.com/spf13/cobra"

	"deepemd/core/embed"
	"deepemd/core/fewshot"
	"deepemd/core/imaging"
	"deepemd/core/resnet"
	"deepemd/core/weights"
	"deepemd/trainer/artifact"
	"deepemd/trainer/augment"
	"deepemd/trainer/data"
	"deepemd/trainer/evaluate"
	"deepemd/trainer/loop"
	"deepemd/trainer/pretrain"
	trainrun "deepemd/trainer/run"
)

// pretrainSettings are what one run depends on: the file of settings.
type pretrainSettings struct {
	Data  string `toml:"data"`
	Split string `toml:"split"` // empty for all classes, without validation

	pretrain.Settings
	Augment augment.Policy `toml:"augment"`
}

// pretrainOptions are the flags of train pretrain.
type pretrainOptions struct {
	config, data, split, out string
	set                      []string
	resume                   bool
}

// settingsFile is what a run's settings are saved as.
const settingsFile = "settings.toml"

func newPretrainCommand() *cobra.Command {
	var o pretrainOptions
	command := &cobra.Command{
		Use:   "pretrain --out DIR",
		Short: "Pre-train a backbone by classifying all training classes",
		Long: "Pre-train a backbone by ordinary classification of all training classes of a split, with an auxiliary\n" +
			"task of telling rotations. After each epoch it is validated by 5-way 1-shot episodes of the validation\n" +
			"classes, and the best network is kept.\n\n" +
			"Settings come from a TOML file; --set changes single ones. The run's folder holds them, checkpoints, a\n" +
			"log (" + loop.LogFile + "), its curves (" + loop.CurvesFile + ") and the networks. Ctrl+C saves; --resume continues,\n" +
			"with the weights that a run without the interruption would have had, bit for bit.",
		Example: "  deepemd train pretrain --data cifar100.zip --split cifar-fs.json --out runs/cifar-fs\n" +
			"  deepemd train pretrain --config recipe.toml --set rate=0.05 --set 'stages=[{epochs=9,size=32,batch=64}]' --out runs/b\n" +
			"  deepemd train pretrain --resume --out runs/b",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			ctx, stop := signal.NotifyContext(cmd.Context(), os.Interrupt)
			defer stop()
			return runPretrain(ctx, cmd.OutOrStdout(), cmd.ErrOrStderr(), o)
		},
	}
	flags := command.Flags()
	flags.StringVar(&o.config, "config", "", "TOML file of settings (default: the project's defaults)")
	flags.StringVar(&o.data, "data", "", "zip archive or folder of pictures by class")
	flags.StringVar(&o.split, "split", "", "JSON file of train, val and test classes")
	flags.StringVar(&o.out, "out", "", "the run's folder; it is made")
	flags.StringArrayVar(&o.set, "set", nil, "change a setting: name=value, as in the file")
	flags.BoolVar(&o.resume, "resume", false, "continue the run in --out from its checkpoint")
	return command
}

func runPretrain(ctx context.Context, stdout, stderr io.Writer, o pretrainOptions) error {
	if o.out == "" {
		return errors.New("--out is missing: name a folder for the run")
	}
	s, err := o.settings()
	if err != nil {
		return err
	}
	if !o.resume && loop.CanResume(o.out) {
		return fmt.Errorf("%s holds a run already: --resume continues it, or name another folder", o.out)
	}
	set, err := data.Open(s.Data)
	if err != nil {
		return err
	}
	defer set.Close()
	set.KeepDecoded(decodedLimit)
	classes, validate, err := classesAndValidation(set, s)
	if err != nil {
		return err
	}
	source, err := pretrain.NewPictures(set, classes, &s.Settings, s.Augment)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(o.out, 0o755); err != nil {
		return err
	}
	if err := artifact.Write(filepath.Join(o.out, settingsFile), func(w io.Writer) error { return toml.NewEncoder(w).Encode(s) }); err != nil {
		return err
	}
	watch, done := watchRun(stdout, stderr)
	model, err := pretrain.NewModel(&s.Settings, len(classes))
	if err != nil {
		return err
	}
	trainer := &loop.Trainer{
		Settings: &s.Settings.Settings, Learner: model, Source: source, Validate: validate, Dir: o.out, Watch: watch,
		Meta: weights.Meta{
			Name: s.Name, Mean: s.Mean, Std: s.Std,
			TrainedOn: fmt.Sprintf("%s, %d classes", set.Name(), len(classes)),
		},
	}
	err = trainer.Run(ctx, o.resume)
	done()
	if ctx.Err() != nil && errors.Is(err, context.Canceled) {
		return fmt.Errorf("stopped at %v and saved: --resume --out %s continues", trainer, o.out)
	}
	return err
}

// decodedLimit is how many bytes of decoded pictures are kept in memory.
const decodedLimit = 4 << 30

// settings are the defaults, what the file says (a resumed run's own), and what
// the flags change, in this order.
func (o pretrainOptions) settings() (*pretrainSettings, error) {
	s := &pretrainSettings{Settings: pretrain.Defaults(), Augment: augment.Policy{
		MinArea: 0.35, Flip: true, Brightness: 0.4, Contrast: 0.4, Saturation: 0.4,
	}}
	path := o.config
	if path == "" && o.resume {
		path = filepath.Join(o.out, settingsFile)
	}
	if path != "" {
		raw, err := os.ReadFile(path)
		if err != nil {
			return nil, readable(err)
		}
		if err := decodeSettings(path, raw, s); err != nil {
			return nil, err
		}
	}
	for _, change := range o.set {
		name, value, _ := strings.Cut(change, "=")
		if err := decodeSettings("--set "+change, []byte(name+" = "+value), s); err != nil {
			return nil, err
		}
	}
	if o.data != "" {
		s.Data = o.data
	}
	if o.split != "" {
		s.Split = o.split
	}
	if s.Data == "" {
		return nil, errors.New("--data is missing: give the zip archive or folder of pictures by class")
	}
	return s, s.Check()
}

// decodeSettings reads TOML over the settings that there are. A setting that
// does not exist is an error.
func decodeSettings(name string, raw []byte, s *pretrainSettings) error {
	meta, err := toml.NewDecoder(bytes.NewReader(raw)).Decode(s)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if unknown := meta.Undecoded(); len(unknown) > 0 {
		return fmt.Errorf("%s: no setting %s: %s of a run lists them all", name, unknown[0], settingsFile)
	}
	return nil
}

// classesAndValidation returns the classes to train on, and how a network is
// validated on those of the split that are for it.
func classesAndValidation(set *data.Set, s *pretrainSettings) ([]string, loop.Validate, error) {
	if s.Split == "" {
		none := func(context.Context, *weights.File) (float64, float64, error) { return 0, 0, nil }
		return set.Classes(), none, nil
	}
	split, err := data.ReadSplit(s.Split)
	if err != nil {
		return nil, nil, err
	}
	train, err := split.Subset("train")
	if err != nil {
		return nil, nil, err
	}
	val, err := split.Subset("val")
	if err != nil {
		return nil, nil, err
	}
	validate, err := validation(set, val, s)
	return train, validate, err
}

// validation measures by 5-way 1-shot episodes with DeepEMD-FCN, the same ones
// every time.
func validation(set *data.Set, classes []string, s *pretrainSettings) (loop.Validate, error) {
	const way, shot, query = 5, 1, 15
	sampler, err := data.NewSampler(set, classes, way, shot, query, s.Seed)
	if err != nil {
		return nil, err
	}
	var episodes []data.Episode
	var names []string
	for i := range s.ValidationEpisodes {
		e := sampler.Episode(i)
		episodes = append(episodes, e)
		names = append(append(names, e.Support...), e.Query...)
	}
	return func(ctx context.Context, f *weights.File) (float64, float64, error) {
		net, err := resnet.New(f, resnet.Options{Threads: s.Threads})
		if err != nil {
			return 0, 0, err
		}
		features, err := evaluate.Extract(ctx, names, set.Image, evaluate.Extraction{
			Encoder: net, FCN: embed.FCN{}, Threads: s.Threads,
			Preprocess: imaging.Preprocess{Size: f.Meta.InputSize, Mean: f.Meta.Mean, Std: f.Meta.Std},
		})
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

// watchRun shows how a run goes on: a bar on a terminal, else a line now and
// then; and a line for every validation. done ends it.
func watchRun(stdout, stderr io.Writer) (watch loop.Watch, done func()) {
	began, first, last := time.Now(), -1, time.Now()
	bar := newTrainBar(stderr)
	watch.Step = func(r trainrun.Record, step, steps int) {
		if first < 0 {
			first = step - 1
		}
		left := time.Duration(float64(time.Since(began)) / float64(step-first) * float64(steps-step)).Round(time.Second)
		text := fmt.Sprintf("epoch %.2f  %d px  loss %.3f  accuracy %.1f%%  %.0f img/s  %v left", r.Epoch, r.Size, r.Loss, 100*r.Accuracy, r.PerSecond, left)
		if bar != nil {
			bar.set(step, steps, text)
		} else if now := time.Now(); now.Sub(last) >= progressEvery {
			last = now
			fmt.Fprintf(stderr, "step %d of %d  %s\n", step, steps, text)
		}
	}
	watch.Validated = func(r trainrun.Record, best bool) {
		mark := ""
		if best {
			mark = "  best so far"
		}
		fmt.Fprintf(stdout, "epoch %.0f: validation %.2f%% ± %.2f%% after %.0f s of training%s\n", r.Epoch, 100*r.Validation, 100*r.Interval, r.Seconds, mark)
	}
	return watch, func() {
		if bar != nil {
			bar.done()
		}
	}
}
