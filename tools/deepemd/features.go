package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"deepemd/core/imaging"
	"deepemd/core/weights"
	"deepemd/trainer/artifact"
	"deepemd/trainer/data"
	"deepemd/trainer/evaluate"
	"deepemd/trainer/exchange"
	"deepemd/trainer/loop"
)

// featuresOptions are the flags of features.
type featuresOptions struct {
	network     networkFlags
	data        string
	split, part string
	out, batch  string
}

// newFeaturesCommand returns the command that writes the local embeddings of
// pictures.
func newFeaturesCommand() *cobra.Command {
	var o featuresOptions
	command := &cobra.Command{
		Use:   "features --data ZIP|DIR --out F.npy",
		Short: "Write the local embeddings of pictures as a NumPy array",
		Long: "Embed every picture of a folder or zip archive by class, or of the classes of a split's part, and write\n" +
			"the nodes as they come from the network: F.npy, float32 [pictures, nodes, C]. F.json beside it lists the\n" +
			"pictures in the array's order, with their classes, and says how they were embedded. --batch writes what the\n" +
			"network saw, too.",
		Example: "  deepemd features --data cifar100.zip --split cifar-fs.json --set test --size 32 --out test.npy",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			ctx, stop := signal.NotifyContext(cmd.Context(), os.Interrupt)
			defer stop()
			return features(ctx, cmd.OutOrStdout(), cmd.ErrOrStderr(), o, cmd.Flags().Changed)
		},
	}
	flags := command.Flags()
	flags.StringVar(&o.data, "data", "", "zip archive or folder of pictures by class")
	flags.StringVar(&o.split, "split", "", splitHelp+" (default: the split that comes with the data, else all classes)")
	flags.StringVar(&o.part, "set", "test", "part of the split: train, val or test")
	flags.StringVar(&o.out, "out", "", "file to write, .npy")
	flags.StringVar(&o.batch, "batch", "", "write the network's input, too: float32 [pictures, size, size, 3] to this .npy file, normalised")
	o.network.register(flags)
	return command
}

// featureList is what is written beside the array.
type featureList struct {
	Shape   [3]int     `json:"shape"` // pictures, nodes, channels
	Network string     `json:"network"`
	Data    string     `json:"data"`
	Size    int        `json:"size"`
	Resize  int        `json:"resize,omitempty"`
	Pyramid []int      `json:"pyramid,omitempty"`
	Mean    [3]float32 `json:"mean"`
	Std     [3]float32 `json:"std"`
	Names   []string   `json:"names"`
	Classes []string   `json:"classes"` // of the pictures, one each
}

// features runs the command, prints to stdout and shows progress on stderr.
func features(ctx context.Context, stdout, stderr io.Writer, o featuresOptions, given func(flag string) bool) error {
	if err := o.check(); err != nil {
		return err
	}
	set, err := data.OpenSplit(o.data, o.split)
	if err != nil {
		return err
	}
	defer set.Close()
	encoder, err := o.network.open(weights.Meta{})
	if err != nil {
		return err
	}
	list := featureList{
		Network: encoder.network.Meta().Name, Data: set.Name(),
		Size: encoder.pre.Size, Resize: encoder.pre.Resize, Pyramid: encoder.fcn.Pyramid,
		Mean: encoder.pre.Mean, Std: encoder.pre.Std,
	}
	if err := o.list(&list, set, given); err != nil {
		return err
	}
	if o.batch != "" {
		if err := o.writeBatch(encoder, list.Names, set); err != nil {
			return err
		}
	}

	start := time.Now()
	var embedded evaluate.Features
	err = withProgress(stderr, "pictures embedded", func(progress evaluate.Progress) (err error) {
		embedded, err = evaluate.Extract(ctx, list.Names, set.Image, evaluate.Extraction{
			Encoder: encoder.network, FCN: encoder.fcn, Preprocess: encoder.pre, Threads: o.network.threads, Progress: progress,
		})
		return err
	})
	if err != nil {
		return interrupted(err)
	}
	took := time.Since(start)
	array, err := exchange.Features(embedded, list.Names)
	if err != nil {
		return err
	}
	list.Shape = [3]int(array.Shape())
	names := o.names()
	err = artifact.Write(names, func(w io.Writer) error { return json.NewEncoder(w).Encode(list) })
	if err != nil {
		return err
	}
	if err := artifact.Write(o.out, func(w io.Writer) error { return exchange.WriteNPY(w, array) }); err != nil {
		return err
	}
	_, err = fmt.Fprintf(stdout, "%s: %d pictures, %d nodes of %d channels each (%s, %d px), in %.1f s (%s kernels)\n%s: their names and classes\n",
		o.out, list.Shape[0], list.Shape[1], list.Shape[2], list.Network, list.Size, took.Seconds(), encoder.network.Kernels(), names)
	return err
}

// check refuses flags that make no sense before any work is done.
func (o *featuresOptions) check() error {
	switch {
	case o.data == "":
		return errors.New("--data is missing: give the zip archive or folder of pictures by class")
	case o.out == "":
		return errors.New("--out is missing: give the .npy file to write")
	case filepath.Ext(o.out) != ".npy":
		return fmt.Errorf("--out %s: want a file that ends in .npy", o.out)
	case o.batch != "" && filepath.Ext(o.batch) != ".npy":
		return fmt.Errorf("--batch %s: want a file that ends in .npy", o.batch)
	}
	for flag, path := range map[string]string{"out": o.out, "batch": o.batch} {
		if _, err := os.Stat(filepath.Dir(path)); err != nil {
			return fmt.Errorf("--%s: %w", flag, readable(err))
		}
	}
	return o.network.check()
}

// names is the path of the list beside the array.
func (o *featuresOptions) names() string { return strings.TrimSuffix(o.out, ".npy") + ".json" }

// list adds the pictures that are meant, class by class.
func (o *featuresOptions) list(list *featureList, set *data.Set, given func(flag string) bool) error {
	classes := set.Classes()
	if split := set.Split(); split != nil {
		var err error
		if classes, err = split.Subset(o.part); err != nil {
			return err
		}
	} else if given("set") {
		return errors.New("--set goes with --split: give the file that says which classes are meant")
	}
	for _, class := range classes {
		for _, picture := range set.Pictures(class) {
			list.Names, list.Classes = append(list.Names, picture.Name), append(list.Classes, class)
		}
	}
	return nil
}

// writeBatch writes the pictures as the network sees them.
func (o *featuresOptions) writeBatch(e *encoder, names []string, set *data.Set) error {
	batch, err := loop.Images(len(names), e.pre.Size, e.pre.Mean, e.pre.Std, o.network.threads, func(i int) (*imaging.Image, error) {
		img, err := set.Image(names[i])
		if err != nil {
			return nil, err
		}
		return e.pre.Pixels(img), nil
	})
	if err != nil {
		return err
	}
	array, err := exchange.Dense(batch)
	if err != nil {
		return err
	}
	return artifact.Write(o.batch, func(w io.Writer) error { return exchange.WriteNPY(w, array) })
}
