package train

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"

	"github.com/spf13/cobra"

	"github.com/deepemd/deepemd/core/parts"
	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/tools/deepemd/internal/flags"
	"github.com/deepemd/deepemd/trainer/format/netfile"
	"github.com/deepemd/deepemd/trainer/recipes"
	"github.com/deepemd/deepemd/trainer/training"
	"github.com/deepemd/deepemd/trainer/training/augment"
	"github.com/deepemd/deepemd/trainer/training/backbone"
	"github.com/deepemd/deepemd/trainer/training/meta"
)

// metaSettings are what one run depends on: the file of settings.
type metaSettings struct {
	pictureSource
	meta.Settings
	Init    string         `toml:"init"` // the network to begin with
	Augment augment.Policy `toml:"augment"`
}

func newMetaCommand() *cobra.Command {
	var f trainingFlags
	var init string
	command := &cobra.Command{
		Use:   "meta --init WEIGHTS --out DIR",
		Short: "Meta-train a backbone by few-shot episodes through DeepEMD itself",
		Long: "Meta-train a pre-trained backbone by few-shot episodes of the training classes: the queries are scored by\n" +
			"DeepEMD, and the gradient goes through the optimal flow (setting layer: interior-l2, interior-qp,\n" +
			"sinkhorn), or through the similarities alone (held). Defaults are the paper's: 5,000 episodes, 5-way\n" +
			"1-shot, 15 queries a class, a rate of 5e-4 that halves every 500 episodes.\n\n" +
			"The setting embedder is fcn, grid (grid=[2,3]) or sampling (patches=9). Each crop of the last two is an input of\n" +
			"the network: an episode of the paper's has 1,040 with grids 2,3. freeze_statistics=true with at_once=130 computes\n" +
			"them in parts, in an eighth of the memory, at the price of a second forward pass.\n\n" +
			"Settings, files, Ctrl+C and --resume are as for pretrain.",
		Example: "  deepemd train meta --data cifar100.zip --split cifar-fs.json --init runs/a/best.safetensors --out runs/b\n" +
			"  deepemd train meta --data cifar100.zip --split cifar-fs.json --init w.pth --set layer='\"held\"' --out runs/c\n" +
			"  deepemd train meta --data cifar100.zip --split cifar-fs.json --init w.pth --set embedder='\"grid\"' \\\n" +
			"      --set freeze_statistics=true --set at_once=130 --out runs/d",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			ctx, stop := signal.NotifyContext(cmd.Context(), os.Interrupt)
			defer stop()
			return runMeta(ctx, cmd.OutOrStdout(), cmd.ErrOrStderr(), f, init)
		},
	}
	f.register(command.Flags(), recipes.Meta)
	command.Flags().StringVar(&init, "init", "", initHelp)
	return command
}

func runMeta(ctx context.Context, stdout, stderr io.Writer, f trainingFlags, init string) error {
	s := &metaSettings{Settings: meta.Defaults(), Augment: augment.Policy{MinArea: 0.5, Flip: true, Brightness: 0.2, Contrast: 0.2, Saturation: 0.2}}
	s.Stages[0].Size = 0 // the network's own, unless told otherwise
	if err := f.read(s, &s.pictureSource); err != nil {
		return err
	}
	if init != "" {
		s.Init = init
	}
	if s.Init == "" {
		return errors.New("--init is missing: give the pre-trained network to begin with")
	}
	file, err := flags.ReadInit(stderr, s.Init)
	if err != nil {
		return err
	}
	for i := range s.Stages {
		if s.Stages[i].Size == 0 {
			s.Stages[i].Size = file.Meta.InputSize
		}
	}
	if s.Std == ([3]float32{}) {
		s.Mean, s.Std = file.Meta.Mean, file.Meta.Std
	}
	assumed := file.Meta.Assumed
	if s.Mean != file.Meta.Mean || s.Std != file.Meta.Std { // the settings state their own
		assumed = nil
	}
	if err := s.Check(); err != nil {
		return err
	}
	if err := s.Augment.Check(); err != nil {
		return err
	}
	embedder, err := parts.All().Embedder(s.Choice())
	if err != nil {
		return err
	}
	pictures, err := s.pictureSource.open(ctx, stderr, &s.Settings.Settings, embedder)
	if err != nil {
		return err
	}
	defer pictures.set.Close()
	source, err := meta.NewEpisodes(pictures.set, pictures.classes, &s.Settings, s.Augment)
	if err != nil {
		return err
	}
	mixed, _, err := backbone.Precision(s.Precision)
	if err != nil {
		return err
	}
	net, err := backbone.New(file.Meta.Widths, s.Seed, backbone.Options{Threads: s.Threads, Mixed: mixed})
	if err != nil {
		return err
	}
	if err := net.Import(file); err != nil {
		return err
	}
	learner, err := meta.NewLearner(&s.Settings, net)
	if err != nil {
		return err
	}
	if err := f.save(s); err != nil {
		return err
	}
	return f.train(ctx, stdout, stderr, &training.Trainer{
		Settings: &s.Settings.Settings, Learner: learner, Source: source, Validate: pictures.validate, Pictures: pictures.skip,
		Meta: weights.Meta{
			Name: s.Name, Mean: s.Mean, Std: s.Std, Assumed: assumed, Classes: netfile.Union(file.Meta.Classes, pictures.classes),
			TrainedOn: fmt.Sprintf("%s, then episodes of %s, %d classes", file.Meta.TrainedOn, pictures.set.Name(), len(pictures.classes)),
		},
	})
}
