package convert

import (
	"fmt"
	"io"
	"io/fs"
	"maps"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/deepemd/deepemd/core/network"
	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/internal/atomicfile"
	"github.com/deepemd/deepemd/internal/backbone"
	"github.com/deepemd/deepemd/internal/netfile"
	"github.com/deepemd/deepemd/internal/tensor"
	"github.com/deepemd/deepemd/tools/deepemd/internal/flags"
	"github.com/deepemd/deepemd/tools/deepemd/internal/verb"
)

type importOptions struct {
	dtype     string
	facts     netfile.Facts // without mean and std, which read parses
	mean, std string
	keepHead  bool
	output    verb.Output
}

func init() { verb.Register(verb.Convert, newImportCommand) }

func newImportCommand() *cobra.Command {
	var o importOptions
	command := &cobra.Command{
		Use:   "import IN OUT.safetensors",
		Short: "Convert weights from PyTorch or ONNX, or change a safetensors file",
		Long: "Convert the weights of the reference implementation (a PyTorch .pth file) to safetensors, with the metadata\n" +
			"to use them. IN may also be a safetensors file, to change its number format or metadata; the folder of a\n" +
			"training run, for the network with the best validation; NumPy arrays: an archive (.npz) or a folder of .npy\n" +
			"files with PyTorch's tensor names; or the name of a network in the program.\n\n" +
			"Other networks are identified by their tensors, in .pth or .safetensors: vision transformers with the names\n" +
			"of DINOv2, timm, torchvision and Hugging Face, torchvision's ResNets and MobileNets (V2, V3), and TensorFlow's\n" +
			"MobileNet v1. Their input is 112 px for transformers and 160 px otherwise, and the last map is pooled to 5×5\n" +
			"nodes, unless --input-size and --grid are set. --stage takes the map of an earlier stage or block, and drops\n" +
			"the following ones.\n" +
			"ONNX models (.onnx, opset 11 or later) are identified by their layers, even if the exporter folded and\n" +
			"renamed tensors: the output of torch.onnx.export can be read directly.\n\n" +
			"The widths of the blocks are read from the tensors. Other unset metadata are taken from IN, or default to\n" +
			"84 px and ImageNet's mean and standard deviation. The file marks assumed normalization, every command that\n" +
			"uses it prints a note, and --mean and --std clear the mark.",
		Example: "  deepemd import dinov2_vits14_pretrain.pth dino.safetensors\n" +
			"  deepemd import resnet18.onnx resnet18.safetensors\n" +
			"  deepemd import resnet12-s-tiny.pth resnet12-s.safetensors --input-size 64 \\\n" +
			"    --trained-on \"150 classes of Tiny ImageNet\"",
		Args: verb.Arguments(2, 2, "two files", "IN OUT.safetensors"),
		RunE: o.importWeights,
	}
	f := command.Flags()
	f.StringVar(&o.dtype, "dtype", f16.name, "number format: "+numbersHelp)
	o.register(f)
	return command
}

// register adds the flags that export shares.
func (o *importOptions) register(f *pflag.FlagSet) {
	o.output.Register(f)
	f.StringVar(&o.facts.Name, "name", "", "short name of the network (default: the name in IN, or OUT without its extension if IN has none, or that of its architecture or of other weights in the program)")
	f.IntVar(&o.facts.InputSize, "input-size", 0, "side in pixels of the square input (default: from IN, or 84 for a ResNet-12, 112 for a transformer, 160 for others)")
	f.IntVar(&o.facts.Grid, "grid", 0, "pool the last map to this many nodes across (default: 5; a ResNet-12 is not pooled)")
	f.IntVar(&o.facts.Stage, "stage", 0, "take the map of this stage (ResNet: 1 to 4) or block (MobileNet, transformer: from 1) instead of the last")
	f.StringVar(&o.mean, "mean", "", "mean of red, green, blue in 0…1, such as 0.485,0.456,0.406 (default: from IN, or these, ImageNet's)")
	f.StringVar(&o.std, "std", "", "standard deviation of red, green, blue, such as 0.229,0.224,0.225 (default: as for --mean)")
	f.StringVar(&o.facts.TrainedOn, "trained-on", "", "dataset and classes of the training, as a description (default: from IN)")
	f.BoolVar(&o.keepHead, "keep-head", false, "also keep tensors outside the encoder, such as the classifier's")
}

// imported is a network that is ready to be written: its metadata are complete, and it runs.
type imported struct {
	*netfile.Network
	nodes    string // of an image, as text, if the network pools large maps
	headless bool   // the output format has no tensors besides the encoder's
}

func (o *importOptions) importWeights(cmd *cobra.Command, args []string) error {
	in, out := args[0], args[1]
	if err := o.output.Check(out, []string{in}, weights.IsFile); err != nil {
		return err
	}
	if strings.ToLower(filepath.Ext(out)) != ".safetensors" {
		return fmt.Errorf("%s: import writes safetensors: name a .safetensors file, or use `deepemd export`", out)
	}
	form, err := parseNumbers(o.dtype)
	if err != nil {
		return err
	}
	f, err := o.read(in, out, false)
	if err != nil {
		return err
	}
	if f.File, err = form.round(f.File); err != nil {
		return err
	}
	if err := atomicfile.Write(out, func(w io.Writer) error { return f.Encode(w, form.dtype) }); err != nil {
		return err
	}
	return f.summarize(cmd.OutOrStdout(), out, form.name, form)
}

// decode reads the weights of a network in the program, or at a path. own reports the former.
func decode(name string) (f *weights.File, own bool, err error) {
	data, err := flags.OwnWeights(name)
	if err != nil {
		return nil, false, err
	}
	f, err = netfile.Decode(name, data)
	return f, data != nil, err
}

// read reads weights, which will be mixed with others or not, and completes their metadata.
func (o *importOptions) read(in, out string, mixed bool) (*imported, error) {
	var err error
	if o.facts.Mean, o.facts.Std, err = flags.Normalization(o.mean, o.std); err != nil {
		return nil, err
	}
	file, own, err := decode(in)
	if err != nil {
		return nil, err
	}
	n, err := netfile.Complete(file, out, o.facts, o.keepHead)
	if err != nil {
		return nil, err
	}
	if err := n.Runs(); err != nil {
		return nil, err
	}
	if o.facts.Name == "" && (!own || mixed) {
		if err := rename(&n.Meta, in, out, mixed); err != nil {
			return nil, err
		}
	}
	f := &imported{Network: n}
	if f.nodes, err = nodes(n.File); err != nil {
		return nil, err
	}
	n.File = n.Widened() // weights are processed as floats
	return f, nil
}

// nodes describes the nodes of an image for a network that pools large maps. Otherwise, it returns "".
func nodes(f *weights.File) (string, error) {
	grid, pooled := f.Meta.Extra[backbone.KeyGrid]
	if !pooled {
		return "", nil
	}
	whole := *f
	whole.Meta.Extra = maps.Clone(f.Meta.Extra)
	delete(whole.Meta.Extra, backbone.KeyGrid)
	net, err := backbone.New(&whole, backbone.Options{LowMemory: true})
	if err != nil {
		return "", err
	}
	last, err := net.Forward(tensor.New(1, f.Meta.InputSize, f.Meta.InputSize, 3))
	if err != nil {
		return "", err
	}
	across := last.Shape[1]
	if n, err := strconv.Atoi(grid); err == nil && 0 < n && n < across {
		return fmt.Sprintf("%d×%d, pooled from the last map, %d×%d", n, n, across, across), nil
	}
	return fmt.Sprintf("%d×%d", across, across), nil
}

// rename names weights after the output if they only have the name of their recipe: that of the
// architecture, or of a network in the program with other weights. The name of the network for sounds
// stays: by it, the commands expect recordings.
func rename(m *weights.Meta, in, out string, mixed bool) error {
	own := flags.Named(m.Name)
	switch {
	case own == nil && m.Name != m.Arch, m.Name == network.ResNet12Sound:
		return nil
	case own != nil && !mixed:
		sha256, err := netfile.Sum(in)
		if err != nil || flags.Maker(sha256) == own {
			return err
		}
	}
	m.Name = strings.TrimSuffix(filepath.Base(out), network.Ending)
	return nil
}

func (f *imported) summarize(w io.Writer, path, form string, n numbers) error {
	size, err := bytesOf(path)
	if err != nil {
		return err
	}
	parameters := 0
	for _, t := range f.Tensors {
		parameters += len(t.Data)
	}
	for _, b := range f.Bytes {
		parameters += len(b.Values)
	}
	m := f.Meta
	table := verb.NewTable(w)
	row := func(label, format string, args ...any) {
		fmt.Fprintf(table, "%s\t%s\n", label, fmt.Sprintf(format, args...))
	}
	row("file", "%s", path)
	row("name", "%s", m.Name)
	row("network", "%s, widths %s", m.Arch, strings.Trim(strings.ReplaceAll(fmt.Sprint(m.Widths), " ", "-"), "[]"))
	row("input", "%d px, mean %v, std %v", m.InputSize, m.Mean, m.Std)
	if assumed := netfile.Union(f.Guessed, f.Meta.Assumed); len(assumed) > 0 {
		flags := strings.ReplaceAll("--"+strings.Join(assumed, ", --"), "_", "-") // of these facts
		row("assumed", "%s: unknown; set the values of the network's training", flags)
	}
	if f.nodes != "" {
		row("nodes", "%s", f.nodes)
	}
	if m.TrainedOn != "" {
		row("trained on", "%s", m.TrainedOn)
	}
	row("tensors", "%d", len(f.Tensors)+len(f.Bytes))
	remedy := " (--keep-head keeps them)"
	if f.headless {
		remedy = ""
	}
	switch {
	case len(f.Left) > 4:
		row("left out", "%d tensors, such as %s%s", len(f.Left), f.Left[0], remedy)
	case len(f.Left) > 0:
		row("left out", "%s%s", strings.Join(f.Left, ", "), remedy)
	}
	row("parameters", "%d", parameters)
	row("bytes", "%d (%s)", size, form)
	if n.dtype == weights.I8 || n.dtype == weights.W8 {
		size, err := zipped(path)
		if err != nil {
			return err
		}
		row("as gzip", "%d", size)
	}
	return table.Flush()
}

// bytesOf returns the size of a file, or of the files in a folder.
func bytesOf(path string) (size int64, err error) {
	err = filepath.Walk(path, func(_ string, info fs.FileInfo, err error) error {
		if err == nil && !info.IsDir() {
			size += info.Size()
		}
		return err
	})
	return size, err
}
