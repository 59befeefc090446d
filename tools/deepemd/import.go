package main

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/deepemd/deepemd/core/resnet"
	"github.com/deepemd/deepemd/core/tensor"
	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/trainer/format/arrays"
	"github.com/deepemd/deepemd/trainer/format/artifact"
	"github.com/deepemd/deepemd/trainer/format/torch"
	"github.com/deepemd/deepemd/trainer/training"
)

// The facts of a .pth file that are not in it: the reference implementation's
// input size, and the normalisation that it shares with most of the field.
const (
	referenceInput = 84
	imageNetMean   = "0.485,0.456,0.406"
	imageNetStd    = "0.229,0.224,0.225"
)

// importOptions are the flags of import.
type importOptions struct {
	dtype     string
	name      string
	inputSize int
	mean, std string
	trainedOn string
	keepHead  bool
}

// newImportCommand returns the command that converts weights to the project's
// form.
func newImportCommand() *cobra.Command {
	var o importOptions
	command := &cobra.Command{
		Use:   "import IN OUT.safetensors",
		Short: "Convert weights from PyTorch, or change those of a safetensors file",
		Long: "Convert the weights of the reference implementation (a PyTorch .pth file) to safetensors with the\n" +
			"facts needed to use them. IN may also be a safetensors file, to change its element type or facts; the\n" +
			"folder of a training run, for the network that validated best; or NumPy's arrays: an archive (.npz) or a\n" +
			"folder of .npy files named as PyTorch names the tensors.\n\n" +
			"The channels of the blocks are read off the tensors. What else is not given is taken from IN where\n" +
			"it says, else it is 84 px and ImageNet's mean and standard deviation.",
		Example: "  deepemd import resnet12-s-tiny.pth resnet12-s.safetensors --input-size 64 \\\n" +
			"    --trained-on \"150 classes of Tiny ImageNet\"",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 2 {
				return fmt.Errorf("import takes two files, got %d: deepemd import IN OUT.safetensors", len(args))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			return importWeights(cmd.OutOrStdout(), args[0], args[1], o)
		},
	}
	flags := command.Flags()
	flags.StringVar(&o.dtype, "dtype", "f16", "element type to write: f16, f32, or i8 (filters as bytes: half the size of f16)")
	o.register(flags)
	return command
}

// register adds the flags that say what is written of a file, and its facts.
func (o *importOptions) register(flags *pflag.FlagSet) {
	flags.StringVar(&o.name, "name", "", "short name of the network (default: IN's, else OUT without its ending)")
	flags.IntVar(&o.inputSize, "input-size", 0, "side in pixels of the square input")
	flags.StringVar(&o.mean, "mean", "", "mean of red, green, blue in 0…1, such as "+imageNetMean)
	flags.StringVar(&o.std, "std", "", "standard deviation of red, green, blue, such as "+imageNetStd)
	flags.StringVar(&o.trainedOn, "trained-on", "", "data set and classes of the training, for people")
	flags.BoolVar(&o.keepHead, "keep-head", false, "keep the tensors that are not the encoder's, such as the classifier's")
}

// elementType is the type that --dtype names.
func (o *importOptions) elementType() (weights.DType, error) {
	switch strings.ToLower(o.dtype) {
	case "f16":
		return weights.F16, nil
	case "f32":
		return weights.F32, nil
	case "i8":
		return weights.I8, nil
	}
	return 0, fmt.Errorf("--dtype %s: want f16, f32 or i8", o.dtype)
}

// imported is a file of weights that is ready to be written: its facts are
// complete, and it runs.
type imported struct {
	*weights.File
	left     []string // tensors left out
	guessed  []string // flags for the facts that are assumed
	headless bool     // the form that is written has no place for them
}

// importWeights reads in, writes out and prints a summary to stdout.
func importWeights(stdout io.Writer, in, out string, o importOptions) error {
	dtype, err := o.elementType()
	if err != nil {
		return err
	}
	f, err := o.read(in, out)
	if err != nil {
		return err
	}
	if err := f.round(dtype); err != nil {
		return err
	}
	if err := artifact.Write(out, func(w io.Writer) error { return f.Encode(w, dtype) }); err != nil {
		return err
	}
	return f.summarise(stdout, out, dtype.String())
}

// round makes the filters what dtype can hold, where that takes more than rounding
// each weight.
func (f *imported) round(dtype weights.DType) (err error) {
	if dtype == weights.I8 {
		f.File, err = resnet.Whole(f.File)
	}
	return err
}

// read reads the weights of in and completes the facts for out.
func (o *importOptions) read(in, out string) (*imported, error) {
	f, err := readWeights(in)
	if err != nil {
		return nil, err
	}
	left := normalise(f, o.keepHead)
	if f.Meta.Widths, err = torch.Widths(f.Source, f.Tensors); err != nil {
		return nil, err
	}
	guessed := guesses(f.Meta, *o)
	if err := setFacts(&f.Meta, out, *o); err != nil {
		return nil, err
	}
	if err := f.Meta.Validate(); err != nil {
		return nil, fmt.Errorf("%s: %w", f.Source, err)
	}
	// A file that is written is one that runs.
	if _, err := resnet.New(f, resnet.Options{LowMemory: true}); err != nil {
		return nil, err
	}
	return &imported{File: f, left: left, guessed: guessed}, nil
}

// readWeights reads a PyTorch or safetensors file, told apart by content, NumPy's
// arrays in an archive (.npz) or a folder, or the network of a training run's
// folder.
func readWeights(path string) (*weights.File, error) {
	if files, err := os.ReadDir(path); err == nil {
		holds := func(is func(name string) bool) bool {
			return slices.ContainsFunc(files, func(f fs.DirEntry) bool { return is(f.Name()) })
		}
		switch {
		case holds(func(name string) bool { return name == training.BestFile }):
			path = filepath.Join(path, training.BestFile)
		case holds(func(name string) bool { return name == training.LastFile }):
			path = filepath.Join(path, training.LastFile) // of a run that validated nothing
		case holds(func(name string) bool { return name == training.CheckpointFile || name == training.LogFile }):
			return nil, fmt.Errorf("%s: a training run without %s: it is there when the run has first validated", path, training.BestFile)
		case holds(func(name string) bool { return filepath.Ext(name) == ".npy" }):
			return arrays.ReadFolder(path)
		}
	}
	if filepath.Base(path) == training.CheckpointFile {
		return nil, fmt.Errorf("%s: what a training run continues from: name %s beside it, or the folder", path, training.BestFile)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, readable(err)
	}
	name := filepath.Base(path)
	if filepath.Ext(name) == ".npz" {
		return arrays.ReadNPZ(name, bytes.NewReader(data), int64(len(data)))
	}
	if bytes.HasPrefix(data, []byte("PK")) || bytes.HasPrefix(data, []byte{0x80}) {
		tensors, err := torch.Load(name, bytes.NewReader(data), int64(len(data)))
		return &weights.File{Source: name, Tensors: tensors}, err
	}
	return weights.DecodeTensors(name, data)
}

// normalise strips the names' "module." and, unless all is set, leaves out
// what is not the encoder's; it returns the names left out.
func normalise(f *weights.File, all bool) (left []string) {
	kept := make(map[string]*tensor.Tensor, len(f.Tensors))
	for name, t := range f.Tensors {
		name = torch.Name(name)
		if all || strings.HasPrefix(name, "encoder.") {
			kept[name] = t
		} else {
			left = append(left, name)
		}
	}
	if len(kept) == 0 {
		return nil // the names that the file has serve the error about the widths best
	}
	f.Tensors = kept
	slices.Sort(left)
	return left
}

// guesses lists the flags for the facts that neither the file nor a flag states
// and that setFacts therefore assumes.
func guesses(m weights.Meta, o importOptions) (flags []string) {
	if m.InputSize == 0 && o.inputSize == 0 {
		flags = append(flags, "--input-size")
	}
	if m.Std == ([3]float32{}) {
		if o.mean == "" {
			flags = append(flags, "--mean")
		}
		if o.std == "" {
			flags = append(flags, "--std")
		}
	}
	return flags
}

// setFacts completes the metadata: flags first, then what the file says, then
// the reference's.
func setFacts(m *weights.Meta, out string, o importOptions) error {
	if m.Arch == "" {
		m.Arch = resnet.Arch
	}
	if o.name != "" {
		m.Name = o.name
	} else if m.Name == "" {
		m.Name = strings.TrimSuffix(filepath.Base(out), ".safetensors")
	}
	if o.inputSize != 0 {
		m.InputSize = o.inputSize
	} else if m.InputSize == 0 {
		m.InputSize = referenceInput
	}
	if o.trainedOn != "" {
		m.TrainedOn = o.trainedOn
	}
	if m.Std == ([3]float32{}) { // the file has no normalisation
		if o.mean == "" {
			o.mean = imageNetMean
		}
		if o.std == "" {
			o.std = imageNetStd
		}
	}
	var err error
	if o.mean != "" {
		if m.Mean, err = weights.ParseRGB(o.mean); err != nil {
			return fmt.Errorf("--mean %s: %w", o.mean, err)
		}
	}
	if o.std != "" {
		if m.Std, err = weights.ParseRGB(o.std); err != nil {
			return fmt.Errorf("--std %s: %w", o.std, err)
		}
		if slices.Min(m.Std[:]) <= 0 {
			return fmt.Errorf("--std %s: want positive numbers", o.std)
		}
	}
	return nil
}

// summarise prints what was written to path, and in which form.
func (f *imported) summarise(w io.Writer, path, form string) error {
	size, err := bytesOf(path)
	if err != nil {
		return err
	}
	parameters := 0
	for _, t := range f.Tensors {
		parameters += len(t.Data)
	}
	m := f.Meta
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	row := func(label, format string, args ...any) {
		fmt.Fprintf(table, "%s\t%s\n", label, fmt.Sprintf(format, args...))
	}
	row("file", "%s", path)
	row("name", "%s", m.Name)
	row("network", "%s, widths %s", m.Arch, strings.Trim(strings.ReplaceAll(fmt.Sprint(m.Widths), " ", "-"), "[]"))
	row("input", "%d px, mean %v, std %v", m.InputSize, m.Mean, m.Std)
	if len(f.guessed) > 0 {
		row("assumed", "%s: the file does not say; give what the network was trained with", strings.Join(f.guessed, ", "))
	}
	if m.TrainedOn != "" {
		row("trained on", "%s", m.TrainedOn)
	}
	row("tensors", "%d", len(f.Tensors))
	remedy := " (--keep-head keeps them)"
	if f.headless {
		remedy = ""
	}
	switch {
	case len(f.left) > 4:
		row("left out", "%d tensors, such as %s%s", len(f.left), f.left[0], remedy)
	case len(f.left) > 0:
		row("left out", "%s%s", strings.Join(f.left, ", "), remedy)
	}
	row("parameters", "%d", parameters)
	row("bytes", "%d (%s)", size, form)
	return table.Flush()
}

// bytesOf is the size of a file, or of the files in a folder.
func bytesOf(path string) (int64, error) {
	info, err := os.Stat(path)
	if err != nil {
		return 0, err
	}
	if !info.IsDir() {
		return info.Size(), nil
	}
	files, err := os.ReadDir(path)
	var size int64
	for _, file := range files {
		info, err := file.Info()
		if err != nil {
			return 0, err
		}
		size += info.Size()
	}
	return size, err
}
