package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"

	"github.com/spf13/cobra"

	"deepemd/core/embed"
	"deepemd/core/weights"
	"deepemd/trainer/augment"
	"deepemd/trainer/loop"
	"deepemd/trainer/pretrain"
	"deepemd/trainer/recipes"
)

// pretrainSettings are what one run depends on: the file of settings.
type pretrainSettings struct {
	pictureSource
	pretrain.Settings
	Augment augment.Policy `toml:"augment"`
}

func newPretrainCommand() *cobra.Command {
	var f trainingFlags
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
			"  deepemd train pretrain --recipe resnet12-s --data tiny-imagenet.zip --split tiny-imagenet.json --out runs/s\n" +
			"  deepemd train pretrain --config settings.toml --set rate=0.05 --set 'stages=[{epochs=9,size=32,batch=64}]' --out runs/b\n" +
			"  deepemd train pretrain --resume --out runs/b",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			ctx, stop := signal.NotifyContext(cmd.Context(), os.Interrupt)
			defer stop()
			return runPretrain(ctx, cmd.OutOrStdout(), cmd.ErrOrStderr(), f)
		},
	}
	f.register(command.Flags(), recipes.Pretrain)
	return command
}

func runPretrain(ctx context.Context, stdout, stderr io.Writer, f trainingFlags) error {
	s := &pretrainSettings{Settings: pretrain.Defaults(), Augment: augment.Policy{
		MinArea: 0.35, Flip: true, Brightness: 0.4, Contrast: 0.4, Saturation: 0.4,
	}}
	if err := f.read(s, &s.pictureSource); err != nil {
		return err
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
	if err := f.save(s); err != nil {
		return err
	}
	return f.train(ctx, stdout, stderr, &loop.Trainer{
		Settings: &s.Settings.Settings, Learner: model, Source: source, Validate: pictures.validate, Pictures: pictures.skip,
		Meta: weights.Meta{
			Name: s.Name, Mean: s.Mean, Std: s.Std,
			TrainedOn: fmt.Sprintf("%s, %d classes", pictures.set.Name(), len(pictures.classes)),
		},
	})
}
