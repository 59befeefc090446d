// Package train has the commands that train networks: train pretrain and train meta.
package train

import (
	"cmp"

	"github.com/spf13/cobra"

	"github.com/deepemd/deepemd/tools/deepemd/internal/flags"
	"github.com/deepemd/deepemd/tools/deepemd/internal/verb"
	"github.com/deepemd/deepemd/trainer"
	"github.com/deepemd/deepemd/trainer/training"
)

func init() { verb.Register(verb.Train, newTrainCommand) }

func newTrainCommand() *cobra.Command {
	command := &cobra.Command{
		Use:   "train",
		Short: "Train a network on images",
		Args:  verb.NoArguments,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	command.AddCommand(newPretrainCommand(), newMetaCommand())
	return command
}

func newPretrainCommand() *cobra.Command {
	var f trainingFlags
	var init, teacher string
	var unlabeled []string
	command := &cobra.Command{
		Use:   "pretrain --out DIR",
		Short: "Pre-train a backbone by classifying all training classes",
		Long: "Pre-train a backbone by classifying all training classes of a split, with rotation prediction as an auxiliary\n" +
			"task. Every validate_every epochs (1 by default), 5-way 1-shot episodes of the validation classes validate it,\n" +
			"and the best network is kept.\n\n" +
			"Training starts with random weights or with a ResNet-12 (--init), which needs fewer epochs at a lower rate.\n" +
			"Widths and normalization are then taken from that network.\n\n" +
			"A teacher (--teacher) can be any network. Before the first step, its mean features determine the similarity of\n" +
			"every image to every class, and training learns these similarities in addition to the labels (distillation).\n" +
			"The features of several teachers, separated by commas, are concatenated. With the setting map_weight, a teacher\n" +
			"provides its map instead, position by position on the same crops, through a linear layer; the setting teacher\n" +
			"of a stage is the size of its images.\n\n" +
			"Settings are read from a TOML file, and --set changes single ones. The run's folder has the settings,\n" +
			"checkpoints, a log (" + training.LogFile + "), curves (" + training.CurvesFile + ") and the networks. Ctrl+C and SIGTERM save. --resume\n" +
			"continues to the weights of an uninterrupted run, bit for bit on a processor.\n\n" +
			"Under mpirun (a program that `make mpi` builds), the processes share every batch of the same images. The\n" +
			"settings statistics (synchronized, rank) and gradients (float32, bfloat16) control the exchange.",
		Example: "  deepemd train pretrain --data cifar100.zip --split cifar-fs.json --out runs/cifar-fs\n" +
			"  deepemd train pretrain --recipe resnet12-s --data tiny-imagenet.zip --split tiny-imagenet.json --out runs/s\n" +
			"  deepemd train pretrain --recipe resnet12-s-further --init resnet12-photo --data my-pictures --out runs/mine\n" +
			"  deepemd train pretrain --recipe resnet12 --teacher runs/a --data cifar100.zip --split cifar-fs.json --out runs/again\n" +
			"  deepemd train pretrain --config settings.toml --set rate=0.05 --set 'stages=[{epochs=9,size=32,batch=64}]' --out runs/b\n" +
			"  deepemd train pretrain --resume --out runs/b\n" +
			"  mpirun -np 4 --map-by node deepemd-mpi train pretrain --recipe cifar-fs --data cifar100.zip --split cifar-fs.json --out runs/c",
		Args: verb.NoArguments,
		RunE: verb.Stoppable(func(cmd *cobra.Command, _ []string) error {
			s := training.NewPretrain()
			return f.run(cmd.Context(), cmd.OutOrStdout(), cmd.ErrOrStderr(), s, &s.Pictures, func() {
				s.Init, s.Teacher = cmp.Or(init, s.Init), cmp.Or(teacher, s.Teacher)
				if len(unlabeled) > 0 {
					s.Unlabeled = unlabeled
				}
				absolute(&s.Init, &s.Teacher)
				for i := range s.Unlabeled {
					absolute(&s.Unlabeled[i])
				}
			})
		}),
	}
	f.register(command.Flags(), trainer.Pretrain)
	command.Flags().StringVar(&init, "init", "", initHelp+" (default: random weights)")
	command.Flags().StringVar(&teacher, "teacher", "", "network to distill: weights, a run's folder, or "+flags.Names()+"; several separated by commas (default: none)")
	command.Flags().StringArrayVar(&unlabeled, "unlabeled", nil, "further images without labels, for a teacher of maps; can be repeated")
	return verb.MarkParallel(command)
}

func newMetaCommand() *cobra.Command {
	var f trainingFlags
	var init string
	command := &cobra.Command{
		Use:   "meta --init WEIGHTS --out DIR",
		Short: "Meta-train a backbone by few-shot episodes through DeepEMD itself",
		Long: "Meta-train a pre-trained backbone on few-shot episodes of the training classes. DeepEMD scores the queries, and\n" +
			"the gradient passes through the optimal flow (setting layer: interior-l2, interior-qp, sinkhorn) or through the\n" +
			"similarities alone (held). The defaults are the paper's: 5,000 episodes, 5-way 1-shot, 15 queries per class, a\n" +
			"rate of 5e-4 that halves every 500 episodes.\n\n" +
			"The setting embedder is fcn, grid (grid=[2,3]) or sampling (patches=9). The last two crop the original image\n" +
			"differently in every episode: grids with a ratio of crop to cell from 1 to 3, or random crops of 8% to 100% of\n" +
			"the area. Validation uses a ratio of 2, or validation_patches crops, such as 25. The recipes grid and sampling\n" +
			"suit images larger than the network's input. Each crop is an input of the network: an episode of the paper has\n" +
			"1,040 with grids 2,3. freeze_statistics=true with at_once=130 processes them in parts, with an eighth of the\n" +
			"memory and a second forward pass.\n\n" +
			"A step has meta_batch episodes, which processes under mpirun share. Settings, files, Ctrl+C and --resume are as\n" +
			"for pretrain.",
		Example: "  deepemd train meta --data cifar100.zip --split cifar-fs.json --init runs/a --out runs/b\n" +
			"  deepemd train meta --data cifar100.zip --split cifar-fs.json --init w.pth --set layer=held --out runs/c\n" +
			"  deepemd train meta --recipe sampling --data tiny-imagenet.zip --split tiny-imagenet.json --init runs/s --out runs/d\n" +
			"  deepemd train meta --recipe grid --set at_once=130 --data tiny-imagenet.zip --split tiny-imagenet.json \\\n" +
			"      --init runs/s --out runs/e",
		Args: verb.NoArguments,
		RunE: verb.Stoppable(func(cmd *cobra.Command, _ []string) error {
			s := training.NewMeta()
			return f.run(cmd.Context(), cmd.OutOrStdout(), cmd.ErrOrStderr(), s, &s.Pictures, func() {
				s.Init = cmp.Or(init, s.Init)
				absolute(&s.Init)
			})
		}),
	}
	f.register(command.Flags(), trainer.Meta)
	command.Flags().StringVar(&init, "init", "", initHelp)
	return verb.MarkParallel(command)
}
