package convert

import (
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/deepemd/deepemd/core/openset"
	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/internal/arrays"
	"github.com/deepemd/deepemd/internal/atomicfile"
	"github.com/deepemd/deepemd/internal/filekind"
	"github.com/deepemd/deepemd/internal/onnx"
	"github.com/deepemd/deepemd/internal/tensor"
	"github.com/deepemd/deepemd/tools/deepemd/internal/verb"
)

type exportOptions struct {
	importOptions
	module  bool
	average string
	prior   string
}

func init() { verb.Register(verb.Convert, newExportCommand) }

func newExportCommand() *cobra.Command {
	var o exportOptions
	command := &cobra.Command{
		Use:   "export IN OUT",
		Short: "Write weights for other programs: safetensors, ONNX, NumPy's arrays",
		Long: "Write the weights of IN (everything that import reads) in the format of OUT's extension:\n\n" +
			"  .safetensors  tensors with the names of the reference implementation (encoder.layer1.0.conv1.weight, …),\n" +
			"                or with --module with the names in its .pth files (module.encoder.…)\n" +
			"  .onnx         the encoder as a model of opset 13 with folded batch normalization: from the normalized input\n" +
			"                x [N,3,H,W] to features [N,C,h,w], the last map before it is pooled to a grid. The metadata have\n" +
			"                the normalization. The input of a vision transformer has a fixed size (--input-size)\n" +
			"  .npz          an archive of NumPy arrays\n" +
			"  / or nothing  a new folder of .npy files\n\n" +
			"With --module, the reference implementation loads the output of\n\n" +
			"  torch.save({'params': safetensors.torch.load_file('w.safetensors')}, 'w.pth')",
		Example: "  deepemd export resnet12-photo resnet12-photo.onnx\n" +
			"  deepemd export runs/a w.safetensors --module\n" +
			"  deepemd export runs/further w.safetensors --average runs/a\n" +
			"  deepemd export resnet12-cifarfs.pth arrays/ --keep-head",
		Args: verb.Arguments(2, 2, "two files", "IN OUT"),
		RunE: o.export,
	}
	f := command.Flags()
	f.StringVar(&o.dtype, "dtype", f32.name, "number format of a safetensors file: "+numbersHelp)
	f.BoolVar(&o.module, "module", false, "begin the names of tensors with module., as in data-parallel training")
	f.StringVar(&o.average, "average", "", "another network of the same shape, such as the starting point of IN: write the mean of the two")
	f.StringVar(&o.prior, "prior", "", "ten numbers that calibrate the detection of unknown images, from make prior")
	o.register(f)
	return command
}

// form is an output format for weights.
type form struct {
	name    string // for messages
	is      func(head []byte) bool
	without map[string]string // unsupported flags, with the remedy
	write   func(path string, f *weights.File, dtype weights.DType) error
}

// formOf returns the format for a path's extension.
func formOf(path string) (form, error) {
	const floats = "it is only for safetensors files: remove it"
	switch ending := filepath.Ext(path); {
	case strings.HasSuffix(path, "/"), strings.HasSuffix(path, string(filepath.Separator)), ending == "", isFolder(path):
		return form{"NumPy's arrays", verb.BeginsZip("metadata.json", "*.npy"), map[string]string{"dtype": floats}, func(path string, f *weights.File, _ weights.DType) error {
			return arrays.WriteFolder(path, f)
		}}, nil
	case ending == ".npz":
		return form{"NumPy's arrays", verb.BeginsZip("metadata.json", "*.npy"), map[string]string{"dtype": floats}, func(path string, f *weights.File, _ weights.DType) error {
			return atomicfile.Write(path, func(w io.Writer) error { return arrays.WriteNPZ(w, f) })
		}}, nil
	case ending == ".onnx":
		const encoder = "an ONNX model has the encoder with its own names: remove it"
		return form{fmt.Sprintf("ONNX, opset %d", onnx.Opset), filekind.IsONNX, map[string]string{"dtype": floats, "module": encoder, "keep-head": encoder},
			func(path string, f *weights.File, _ weights.DType) error {
				return atomicfile.Write(path, func(w io.Writer) error { return onnx.Encode(w, f) })
			}}, nil
	case ending == ".safetensors":
		return form{"safetensors", weights.IsFile, nil, writeSafetensors}, nil
	case ending == ".pth", ending == ".pt":
		return form{}, fmt.Errorf("%s: PyTorch's pickles are not supported as output: write a .safetensors file, which PyTorch loads, with the names of --module too", path)
	default:
		return form{}, fmt.Errorf("%s: unknown extension %s: want .safetensors, .onnx, .npz, or a folder's name", path, ending)
	}
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// writeSafetensors writes weights in the project's format, with the mark that libraries expect for
// PyTorch's tensor layout.
func writeSafetensors(path string, f *weights.File, dtype weights.DType) error {
	marked := *f
	marked.Meta.Extra = map[string]string{"format": "pt"}
	maps.Copy(marked.Meta.Extra, f.Meta.Extra)
	return atomicfile.Write(path, func(w io.Writer) error { return marked.Encode(w, dtype) })
}

func (o *exportOptions) export(cmd *cobra.Command, args []string) error {
	in, out := args[0], args[1]
	form, err := formOf(out)
	if err != nil {
		return err
	}
	if !isFolder(out) {
		if err := o.output.Check(filepath.Clean(out), []string{in, o.average}, form.is); err != nil {
			return err
		}
	}
	for _, flag := range slices.Sorted(maps.Keys(form.without)) {
		if cmd.Flags().Changed(flag) {
			return fmt.Errorf("--%s: %s", flag, form.without[flag])
		}
	}
	n, err := parseNumbers(o.dtype)
	if err != nil {
		return err
	}
	f, err := o.read(in, strings.TrimSuffix(filepath.Clean(out), filepath.Ext(out)), o.average != "")
	if err != nil {
		return err
	}
	if o.average != "" {
		other, _, err := decode(o.average)
		if err == nil {
			err = f.Average(o.average, other)
		}
		if err != nil {
			return fmt.Errorf("--average: %w", err)
		}
	}
	if o.prior != "" {
		if _, err := openset.ParsePrior(o.prior); err != nil {
			return fmt.Errorf("--prior: %w", err)
		}
		if f.Meta.Extra == nil {
			f.Meta.Extra = map[string]string{}
		}
		f.Meta.Extra[openset.PriorKey] = o.prior
	}
	if f.File, err = n.round(f.File); err != nil {
		return err
	}
	if o.module {
		named := make(map[string]*tensor.Tensor, len(f.Tensors))
		for name, t := range f.Tensors {
			named["module."+name] = t
		}
		f.Tensors = named
		whole := make(map[string]*weights.Bytes, len(f.Bytes))
		for name, b := range f.Bytes {
			whole["module."+name] = b
		}
		f.Bytes = whole
	}
	_, f.headless = form.without["keep-head"]
	if err := form.write(out, f.File, n.dtype); err != nil {
		return err
	}
	return f.summarize(cmd.OutOrStdout(), out, form.name+", "+n.name, n)
}
