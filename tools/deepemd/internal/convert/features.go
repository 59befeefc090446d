package convert

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/imaging"
	"github.com/deepemd/deepemd/core/method"
	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/internal/arrays"
	"github.com/deepemd/deepemd/internal/backbone"
	"github.com/deepemd/deepemd/internal/cluster"
	"github.com/deepemd/deepemd/internal/folders"
	"github.com/deepemd/deepemd/internal/plural"
	"github.com/deepemd/deepemd/tools/deepemd/internal/flags"
	"github.com/deepemd/deepemd/tools/deepemd/internal/verb"
	"github.com/deepemd/deepemd/trainer/data"
	"github.com/deepemd/deepemd/trainer/evaluate"
)

type featuresOptions struct {
	network     flags.Network
	method      flags.Method
	embedder    method.Embedder // from method
	data, in    string
	out, pixels string
	output      verb.Output
	sample      flags.Sample
	mirror      bool
	unreadable  flags.Unreadable
}

func init() { verb.Register(verb.Convert, newFeaturesCommand) }

func newFeaturesCommand() *cobra.Command {
	var o featuresOptions
	command := &cobra.Command{
		Use:   "features --data ZIP|DIR --out F.npy",
		Short: "Write the local embeddings of images as a NumPy array",
		Long: "Embed every image of a folder or zip archive by class, or of a part of a split, and write the nodes of the\n" +
			"network: F.npy, float32 [images, nodes, C]. F.json lists the images in the order of the array with their\n" +
			"classes, and the settings. --pixels writes the network's inputs in the same way, before (v/255 - mean)/std.\n" +
			"`deepemd eval --features F.npy` reads such an array, also from other programs.\n\n" +
			"--in embeds the images of an array instead: uint8, or normalized float32, [images, side, side, 3] or, as in\n" +
			"PyTorch, [images, 3, side, side]. Its list of \"names\" and \"classes\", in the format of F.json, is copied.\n\n" +
			"Processes of mpirun share the images, and write the same as one process.",
		Example: "  deepemd features --data cifar100.zip --split cifar-fs.json --set test --size 32 --out test.npy\n" +
			"  deepemd features --data pictures --out f.npy --pixels p.npy\n" +
			"  deepemd features --in p.npy --weights other.safetensors --out g.npy",
		Args: verb.NoArguments,
		RunE: verb.Stoppable(o.write),
	}
	f := command.Flags()
	f.StringVar(&o.data, "data", "", flags.DataHelp)
	f.StringVar(&o.in, "in", "", "array of images to embed instead, .npy")
	o.sample.Register(f, "all classes, or with --set the split that comes with the data")
	o.unreadable.Register(f)
	f.BoolVar(&o.mirror, "mirror", false, "with fcn: the mean of the maps of an image and of its mirror image (twice the time)")
	f.StringVar(&o.out, "out", "", "file to write, .npy")
	o.output.Register(f)
	f.StringVar(&o.pixels, "pixels", "", "also write the network's input images: uint8 [images, size, size, 3] to this .npy file")
	o.method.RegisterEmbedder(f)
	o.network.Register(f)
	o.network.RegisterDevice(f)
	o.network.RegisterSound(f)
	return verb.MarkParallel(command)
}

func (o *featuresOptions) write(cmd *cobra.Command, _ []string) error {
	g, given := cluster.Of(cmd.Context()), cmd.Flags().Changed
	if _, err := cluster.FromLeader(g, true, o.check(given)); err != nil { // the others do not write the files
		return err
	}
	if g.Size() > 1 && o.pixels != "" {
		return errors.New("--pixels needs all images in one process: remove it, or start without mpirun")
	}
	start := time.Now()
	embedAll := o.embedPictures
	if o.in != "" {
		embedAll = o.embedArray
	}
	e, err := embedAll(cmd.Context(), cmd.ErrOrStderr(), given)
	if err != nil {
		return err
	}
	if !cluster.IsFirst(g) {
		return nil
	}
	took := time.Since(start)
	array, err := arrays.Features(e.features, e.list.Names)
	if err != nil {
		return err
	}
	for i, name := range e.list.Names {
		e.list.Names[i] = folders.Text(name)
	}
	if err := o.writeSeen(e); err != nil {
		return err
	}
	list := e.list
	list.Embedding = e.encoder.Embedding()
	if err := list.Write(o.out, array); err != nil {
		return err
	}
	shape := array.Shape()
	_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s: %s, %s of %d channels each (%s, %d px), in %.1f s (%s kernels)\n%s: their names and classes\n",
		o.out, flags.Count(shape[0], o.network.Sound, "image"), plural.Count(shape[1], "node", "nodes"), shape[2], list.Network, list.Size, took.Seconds(), e.encoder.Kernels, arrays.ListPath(o.out))
	return err
}

// check returns an error for invalid flags before any work is done.
func (o *featuresOptions) check(given func(flag string) bool) error {
	switch {
	case o.data == "" && o.in == "":
		return errors.New("--data is missing: give the zip archive or folder of images by class, or an array of images with --in")
	case o.out == "":
		return errors.New("--out is missing: give the .npy file to write")
	}
	if o.sample.Each < 0 {
		return fmt.Errorf("--each %d: want a number of images, or 0 for all", o.sample.Each)
	}
	if o.in != "" {
		if err := flags.Refuse(given, "cannot be combined with --in, which has the images in their final form: remove it",
			"data", "split", "set", "each", "seed", "mirror", "size", "resize", "pixels"); err != nil {
			return err
		}
	}
	if o.pixels != "" && filepath.Clean(o.pixels) == filepath.Clean(o.out) {
		return errors.New("--out and --pixels name the same file")
	}
	for _, file := range []struct{ flag, path string }{{"out", o.out}, {"pixels", o.pixels}} {
		if file.path == "" {
			continue
		}
		if filepath.Ext(file.path) != arrays.Ending {
			return fmt.Errorf("--%s %s: want a file that ends in %s", file.flag, file.path, arrays.Ending)
		}
		inputs := []string{o.data, o.in, arrays.ListPath(o.in), o.sample.Split, o.network.Weights}
		if err := o.output.Check(file.path, inputs, verb.Begins("\x93NUMPY")); err != nil {
			return fmt.Errorf("--%s: %w", file.flag, err)
		}
		if err := o.output.Check(arrays.ListPath(file.path), inputs, verb.Begins(`{"shape":`)); err != nil {
			return err
		}
	}
	if err := o.network.Check(); err != nil {
		return err
	}
	m, err := o.method.Apply(method.Default())
	if err != nil {
		return err
	}
	o.embedder = m.Embedder
	if o.embedder.Kind == method.FCN {
		return nil
	}
	return flags.Refuse(given, "requires --embedder fcn, which passes a whole image through the network: remove it", "in", "pixels", "mirror")
}

type embeddedPictures struct {
	encoder  *flags.Encoder
	list     arrays.List
	features evaluate.Features
	seen     []uint8 // pixels of all images in the list's order, if requested
}

func (o *featuresOptions) embedPictures(ctx context.Context, stderr io.Writer, given func(flag string) bool) (*embeddedPictures, error) {
	set, err := data.OpenSplit(o.data, o.sample.Split)
	if err != nil {
		return nil, err
	}
	defer set.Close()
	if err := o.unreadable.Files(stderr, set.Ignored()); err != nil {
		return nil, err
	}
	net, err := o.network.OpenOn(ctx, stderr, o.embedder, weights.Meta{})
	if err != nil {
		return nil, err
	}
	if err := net.Restrict(ctx, set); err != nil {
		return nil, err
	}
	pre := net.Preprocess
	e := &embeddedPictures{encoder: net, list: arrays.List{
		Network: net.Network.Meta().Name, Data: set.Name(), Size: pre.Size, Resize: pre.Resize, Mean: pre.Mean, Std: pre.Std,
	}}
	if err := o.choose(&e.list, set, given); err != nil {
		return nil, err
	}
	if o.mirror {
		net.Embedder = evaluate.Mirrored{Pyramid: o.embedder.Pyramid}
		e.list.Mirror = true
	}
	read, places := evaluate.Reader(set.Image), map[string]int{}
	if o.pixels != "" {
		size := pre.Size * pre.Size * 3
		e.seen = make([]uint8, len(e.list.Names)*size)
		for i, name := range e.list.Names {
			places[name] = i * size
		}
		read = func(name string) (*imaging.Image, error) {
			img, err := set.Image(name)
			if err != nil {
				return nil, err
			}
			img = net.Preprocess.Pixels(img)
			copy(e.seen[places[name]:], img.Pix)
			return img, nil
		}
		pre.Resize = 0 // read has resized
	}
	extraction := net.Extraction(verb.ProgressOn(stderr).Of("images embedded"))
	extraction.Preprocess = pre
	e.features, err = o.unreadable.Extract(ctx, e.list.Names, read, extraction)
	o.unreadable.Report(stderr)
	flags.NoteProfiles(stderr, set)
	if err != nil {
		return nil, err
	}
	e.removeUnreadable()
	return e, nil
}

// removeUnreadable removes images without features from the list.
func (e *embeddedPictures) removeUnreadable() {
	all, list := len(e.list.Names), &e.list
	size, kept := len(e.seen)/max(all, 1), 0
	for i, name := range list.Names {
		if e.features[name] == nil {
			continue
		}
		list.Names[kept], list.Classes[kept] = name, list.Classes[i]
		copy(e.seen[kept*size:][:size], e.seen[i*size:][:size])
		kept++
	}
	list.Names, list.Classes, e.seen = list.Names[:kept], list.Classes[:kept], e.seen[:kept*size]
}

func (o *featuresOptions) choose(list *arrays.List, set *data.Set, given func(flag string) bool) error {
	classes := set.Classes()
	if o.sample.Split != "" || given("set") {
		var err error
		if classes, err = o.sample.Classes(set, given); err != nil {
			return err
		}
	}
	names, labels, err := o.sample.Choose(set, classes)
	if err != nil {
		return err
	}
	list.Names = names
	for _, label := range labels {
		list.Classes = append(list.Classes, classes[label])
	}
	return nil
}

// arrayBatch is the number of images of an array that are embedded together.
const arrayBatch = 64

func (o *featuresOptions) embedArray(ctx context.Context, stderr io.Writer, _ func(flag string) bool) (*embeddedPictures, error) {
	pictures, list, err := arrays.ReadPictures(o.in)
	if err != nil {
		return nil, err
	}
	if s := pictures.Side; s < backbone.MinSize || s > flags.MaxSide {
		return nil, fmt.Errorf("%s: images of %d×%d pixels: want sides from %d to %d", o.in, s, s, backbone.MinSize, flags.MaxSide)
	}
	net, err := o.network.OpenOn(ctx, stderr, o.embedder, weights.Meta{})
	if err != nil {
		return nil, err
	}
	fcn := embed.FCN{Pyramid: o.embedder.Pyramid}
	mean, std := net.Preprocess.Mean, net.Preprocess.Std
	if pictures.Values != nil {
		switch {
		case list.Std != ([3]float32{}) && (list.Mean != mean || list.Std != std):
			fmt.Fprintf(stderr, "note: %s is normalized with mean %v, std %v; the weights need %v, %v\n", o.in, list.Mean, list.Std, mean, std)
		case slices.Min(pictures.Values) >= 0:
			fmt.Fprintf(stderr, "note: %s has no value below 0: are its images normalized, (v/255 - mean)/std with mean %v, std %v?\n", o.in, mean, std)
		}
	}
	list.Network, list.Size = net.Network.Meta().Name, pictures.Side
	if pictures.Pixels != nil || list.Std == ([3]float32{}) {
		list.Mean, list.Std = mean, std
	}
	list.Data = cmp.Or(list.Data, filepath.Base(o.in))
	if err := cluster.Same(cluster.Of(ctx), "images", fmt.Sprint(pictures.N), cluster.Digest(list.Names)); err != nil {
		return nil, err
	}
	e := &embeddedPictures{encoder: net, list: *list, features: make(evaluate.Features, pictures.N)}
	err = verb.ProgressOn(stderr)("images embedded", func(show evaluate.Progress) error {
		g := cluster.Of(ctx)
		from, to := cluster.Share(g, pictures.N)
		for first := from; first < to; first += arrayBatch {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			last := min(first+arrayBatch, to)
			sets, err := fcn.EmbedInput(net.Network, pictures.Input(first, last, mean, std))
			if err != nil {
				return fmt.Errorf("%s: images %d to %d: %w", o.in, first, last-1, err)
			}
			for i, set := range sets {
				name := list.Names[first+i]
				if e.features[name] != nil {
					return fmt.Errorf("%s: %s is named twice", arrays.ListPath(o.in), name)
				}
				e.features[name] = set
			}
			show(min((last-from)*g.Size(), pictures.N), pictures.N)
		}
		return nil
	})
	e.features, err = evaluate.Gather(ctx, e.features, err)
	return e, err
}

// writeSeen writes the inputs of the network, if requested.
func (o *featuresOptions) writeSeen(e *embeddedPictures) error {
	if e.seen == nil {
		return nil
	}
	list := e.list
	array, err := arrays.Pixels(e.seen, len(list.Names), list.Size)
	if err != nil {
		return err
	}
	list.Network = "" // the inputs do not depend on it
	list.Mean, list.Std = [3]float32{}, [3]float32{}
	return list.Write(o.pixels, array)
}
