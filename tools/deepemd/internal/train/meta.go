package train

import (
	"context"
	"errors"
	"io"

	"github.com/spf13/cobra"

	"github.com/deepemd/deepemd/tools/deepemd/internal/verb"

	"github.com/deepemd/deepemd/internal/cluster"
	"github.com/deepemd/deepemd/trainer"
	"github.com/deepemd/deepemd/trainer/training"
)

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
			"The setting embedder is fcn, grid (grid=[2,3]) or sampling (patches=9). The last two cut new crops of each picture in\n" +
			"every episode, from the picture as it came: grids with a ratio of crop to cell from 1 to 3, or random ones of 8% to\n" +
			"100% of its area. Networks are validated as tests go, with a ratio of 2, or with validation_patches crops, such as 25.\n" +
			"The recipes grid and sampling have settings for pictures larger than the network's input. Each crop is an input of\n" +
			"the network: an episode of the paper's has 1,040 with grids 2,3. freeze_statistics=true with at_once=130 computes\n" +
			"them in parts, in an eighth of the memory, at the price of a second forward pass.\n\n" +
			"A step takes meta_batch episodes, which processes under mpirun share. Settings, files, Ctrl+C and --resume are as for\n" +
			"pretrain.",
		Example: "  deepemd train meta --data cifar100.zip --split cifar-fs.json --init runs/a/best.safetensors --out runs/b\n" +
			"  deepemd train meta --data cifar100.zip --split cifar-fs.json --init w.pth --set layer='\"held\"' --out runs/c\n" +
			"  deepemd train meta --recipe resnet12-s --set strangers=5 --data tiny-imagenet.zip --split tiny-imagenet.json --init runs/s --out runs/d\n" +
			"  deepemd train meta --recipe sampling --data tiny-imagenet.zip --split tiny-imagenet.json --init runs/s --out runs/d\n" +
			"  deepemd train meta --recipe grid --set at_once=130 --data tiny-imagenet.zip --split tiny-imagenet.json \\\n" +
			"      --init runs/s --out runs/e",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			ctx, stop := verb.Stoppable(cmd)
			defer stop()
			return runMeta(ctx, cmd.OutOrStdout(), cmd.ErrOrStderr(), f, init)
		},
	}
	f.register(command.Flags(), trainer.Meta)
	command.Flags().StringVar(&init, "init", "", initHelp)
	return verb.Shares(command)
}

func runMeta(ctx context.Context, stdout, stderr io.Writer, f trainingFlags, init string) (err error) {
	g := cluster.Of(ctx)
	held, err := f.hold(g)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, held.Release()) }()
	s := training.NewMeta()
	if err := f.read(g, s, &s.Pictures); err != nil {
		return err
	}
	if init != "" {
		s.Init = init
	}
	return f.run(ctx, stdout, stderr, s)
}
