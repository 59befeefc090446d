// Package train has the commands that train networks: train pretrain and train meta.
package train

import (
	"cmp"

	"github.com/spf13/cobra"

	"github.com/deepemd/deepemd/tools/deepemd/internal/verb"
	"github.com/deepemd/deepemd/trainer"
	"github.com/deepemd/deepemd/trainer/training"
)

func init() { verb.Register(verb.Train, newTrainCommand) }

func newTrainCommand() *cobra.Command {
	command := &cobra.Command{
		Use:   "train",
		Short: "Train a network on pictures",
		Args:  cobra.NoArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	command.AddCommand(newPretrainCommand(), newMetaCommand())
	return command
}

func newPretrainCommand() *cobra.Command {
	var f trainingFlags
	var init, teacher string
	var unlabelled []string
	command := &cobra.Command{
		Use:   "pretrain --out DIR",
		Short: "Pre-train a backbone by classifying all training classes",
		Long: "Pre-train a backbone by ordinary classification of all training classes of a split, with an auxiliary\n" +
			"task of telling rotations. After each epoch it is validated by 5-way 1-shot episodes of the validation\n" +
			"classes, and the best network is kept.\n\n" +
			"It begins with random weights, or with a network that knows something already (--init): fewer epochs\n" +
			"at a lower rate are then enough. Widths and normalisation are that network's, a ResNet-12.\n\n" +
			"A teacher, any network (--teacher), says before the first step how like each class every picture is, by its\n" +
			"mean features and those of the classes; training then learns that beside the labels (distillation). Several,\n" +
			"with commas between, have their features side by side. With the setting map_weight it teaches its map instead, position\n" +
			"by position on the same crops, through a linear layer; of a stage, teacher is the size of the pictures that it is shown.\n\n" +
			"Settings come from a TOML file; --set changes single ones. The run's folder holds them, checkpoints, a\n" +
			"log (" + training.LogFile + "), its curves (" + training.CurvesFile + ") and the networks. Ctrl+C and SIGTERM save; --resume continues,\n" +
			"with the weights that a run without the interruption would have had, bit for bit.\n\n" +
			"Under mpirun (a program that `make mpi` builds) the processes share every batch: the same pictures as without. The\n" +
			"settings statistics (synchronised, rank), gradients (float32, bfloat16) and local_sgd say what they exchange.",
		Example: "  deepemd train pretrain --data cifar100.zip --split cifar-fs.json --out runs/cifar-fs\n" +
			"  deepemd train pretrain --recipe resnet12-s --data tiny-imagenet.zip --split tiny-imagenet.json --out runs/s\n" +
			"  deepemd train pretrain --recipe resnet12-s-further --init runs/s --data my-pictures --out runs/mine\n" +
			"  deepemd train pretrain --recipe resnet12 --teacher runs/a --data cifar100.zip --split cifar-fs.json --out runs/again\n" +
			"  deepemd train pretrain --config settings.toml --set rate=0.05 --set 'stages=[{epochs=9,size=32,batch=64}]' --out runs/b\n" +
			"  deepemd train pretrain --resume --out runs/b\n" +
			"  mpirun -np 4 --map-by node deepemd train pretrain --recipe cifar-fs --data cifar100.zip --split cifar-fs.json --out runs/c",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			ctx, stop := verb.Stoppable(cmd)
			defer stop()
			s := training.NewPretrain()
			return f.run(ctx, cmd.OutOrStdout(), cmd.ErrOrStderr(), s, &s.Pictures, func() {
				s.Init, s.Teacher = cmp.Or(init, s.Init), cmp.Or(teacher, s.Teacher)
				if len(unlabelled) > 0 {
					s.Unlabelled = unlabelled
				}
			})
		},
	}
	f.register(command.Flags(), trainer.Pretrain)
	command.Flags().StringVar(&init, "init", "", initHelp+" (default: random weights)")
	command.Flags().StringVar(&teacher, "teacher", "", "network to learn from beside the labels: weights, or a run's folder; several with commas between (default: none)")
	command.Flags().StringArrayVar(&unlabelled, "unlabelled", nil, "further pictures, whose classes do not count: a teacher of maps teaches them too; several times for several")
	return verb.Shares(command)
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
			s := training.NewMeta()
			return f.run(ctx, cmd.OutOrStdout(), cmd.ErrOrStderr(), s, &s.Pictures, func() { s.Init = cmp.Or(init, s.Init) })
		},
	}
	f.register(command.Flags(), trainer.Meta)
	command.Flags().StringVar(&init, "init", "", initHelp)
	return verb.Shares(command)
}
