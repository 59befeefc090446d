package train

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"

	"github.com/spf13/cobra"

	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/tools/deepemd/internal/flags"
	"github.com/deepemd/deepemd/trainer/format/netfile"
	"github.com/deepemd/deepemd/trainer/recipes"
	"github.com/deepemd/deepemd/trainer/training"
	"github.com/deepemd/deepemd/trainer/training/augment"
	"github.com/deepemd/deepemd/trainer/training/pretrain"
)

// pretrainSettings are what one run depends on: the file of settings.
type pretrainSettings struct {
	pictureSource
	pretrain.Settings
	Init    string         `toml:"init"` // the network to begin with; empty for random weights
	Augment augment.Policy `toml:"augment"`
}

func newPretrainCommand() *cobra.Command {
	var f trainingFlags
	var init string
	command := &cobra.Command{
		Use:   "pretrain --out DIR",
		Short: "Pre-train a backbone by classifying all training classes",
		Long: "Pre-train a backbone by ordinary classification of all training classes of a split, with an auxiliary\n" +
			"task of telling rotations. After each epoch it is validated by 5-way 1-shot episodes of the validation\n" +
			"classes, and the best network is kept.\n\n" +
			"It begins with random weights, or with a network that knows something already (--init): fewer epochs\n" +
			"at a lower rate are then enough. Widths and normalisation are that network's.\n\n" +
			"Settings come from a TOML file; --set changes single ones. The run's folder holds them, checkpoints, a\n" +
			"log (" + training.LogFile + "), its curves (" + training.CurvesFile + ") and the networks. Ctrl+C saves; --resume continues,\n" +
			"with the weights that a run without the interruption would have had, bit for bit.",
		Example: "  deepemd train pretrain --data cifar100.zip --split cifar-fs.json --out runs/cifar-fs\n" +
			"  deepemd train pretrain --recipe resnet12-s --data tiny-imagenet.zip --split tiny-imagenet.json --out runs/s\n" +
			"  deepemd train pretrain --recipe resnet12-s-further --init runs/s --data my-pictures --out runs/mine\n" +
			"  deepemd train pretrain --config settings.toml --set rate=0.05 --set 'stages=[{epochs=9,size=32,batch=64}]' --out runs/b\n" +
			"  deepemd train pretrain --resume --out runs/b",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			ctx, stop := signal.NotifyContext(cmd.Context(), os.Interrupt)
			defer stop()
			return runPretrain(ctx, cmd.OutOrStdout(), cmd.ErrOrStderr(), f, init)
		},
	}
	f.register(command.Flags(), recipes.Pretrain)
	command.Flags().StringVar(&init, "init", "", initHelp+" (default: random weights)")
	return command
}

func runPretrain(ctx context.Context, stdout, stderr io.Writer, f trainingFlags, init string) error {
	s := &pretrainSettings{Settings: pretrain.Defaults(), Augment: augment.Policy{
		MinArea: 0.35, Flip: true, Brightness: 0.4, Contrast: 0.4, Saturation: 0.4,
	}}
	if err := f.read(s, &s.pictureSource); err != nil {
		return err
	}
	if init != "" {
		s.Init = init
	}
	var begin *weights.File
	if s.Init != "" {
		var err error
		if begin, err = flags.ReadInit(stderr, s.Init); err != nil {
			return err
		}
		s.Widths, s.Mean, s.Std = begin.Meta.Widths, begin.Meta.Mean, begin.Meta.Std
	}
	if err := s.Check(); err != nil {
		return err
	}
	if err := s.Augment.Check(); err != nil {
		return err
	}
	pictures, err := s.pictureSource.open(ctx, stderr, &s.Settings.Settings, embed.FCN{})
	if err != nil {
		return err
	}
	defer pictures.set.Close()
	source, err := pretrain.NewPictures(pictures.set, pictures.classes, &s.Settings, s.Augment)
	if err != nil {
		return err
	}
	model, err := pretrain.NewModel(&s.Settings, len(pictures.classes))
	if err != nil {
		return err
	}
	knows := weights.Meta{
		Name: s.Name, Mean: s.Mean, Std: s.Std, Classes: pictures.classes,
		TrainedOn: fmt.Sprintf("%s, %d classes", pictures.set.Name(), len(pictures.classes)),
	}
	if begin != nil {
		if err := model.Backbone().Import(begin); err != nil {
			return err
		}
		knows.Classes, knows.Assumed = netfile.Union(begin.Meta.Classes, pictures.classes), begin.Meta.Assumed
		if begin.Meta.TrainedOn != "" {
			knows.TrainedOn = begin.Meta.TrainedOn + ", then " + knows.TrainedOn
		}
	}
	if err := f.save(s); err != nil {
		return err
	}
	return f.train(ctx, stdout, stderr, &training.Trainer{
		Settings: &s.Settings.Settings, Learner: model, Source: source, Validate: pictures.validate, Pictures: pictures.skip,
		Meta: knows,
	})
}
