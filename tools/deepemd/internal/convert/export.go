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
	"github.com/deepemd/deepemd/internal/atomicfile"
	"github.com/deepemd/deepemd/internal/tensor"
	"github.com/deepemd/deepemd/tools/deepemd/internal/verb"

	"github.com/deepemd/deepemd/internal/arrays"
	"github.com/deepemd/deepemd/internal/onnx"
	"github.com/deepemd/deepemd/trainer/evaluate"
)

type exportOptions struct {
	importOptions
	module  bool
	average string
	cohort  string
}

func init() { verb.Register(verb.Convert, newExportCommand) }

func newExportCommand() *cobra.Command {
	var o exportOptions
	command := &cobra.Command{
		Use:   "export IN OUT",
		Short: "Write weights for other programs: safetensors, ONNX, NumPy's arrays",
		Long: "Write the weights of IN, whatever import reads, in the form that OUT's ending names:\n\n" +
			"  .safetensors  the tensors by the names of the reference implementation (encoder.layer1.0.conv1.weight, …);\n" +
			"                with --module by those of its .pth files (module.encoder.…)\n" +
			"  .onnx         the encoder as a model of opset 13, batch normalisation folded in: x [N,3,H,W], normalised,\n" +
			"                to features [N,C,h,w], the last map, before it is pooled to a grid; what normalises is in its\n" +
			"                metadata. A vision transformer's takes pictures of the input size alone (--input-size)\n" +
			"  .npz          an archive of NumPy arrays\n" +
			"  / or none     a new folder of .npy files\n\n" +
			"The reference implementation loads what PyTorch makes of the file with --module:\n\n" +
			"  torch.save({'params': safetensors.torch.load_file('w.safetensors')}, 'w.pth')",
		Example: "  deepemd export resnet12-s.safetensors resnet12-s.onnx\n" +
			"  deepemd export runs/a w.safetensors --module\n" +
			"  deepemd export runs/further w.safetensors --average runs/a\n" +
			"  deepemd export resnet12-cifarfs.pth arrays/ --keep-head",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 2 {
				return fmt.Errorf("export takes two files, got %d: deepemd export IN OUT", len(args))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			return export(cmd.OutOrStdout(), args[0], args[1], o, cmd.Flags().Changed)
		},
	}
	f := command.Flags()
	f.StringVar(&o.dtype, "dtype", "f32", "form of a safetensors file's numbers: "+numbersHelp)
	f.BoolVar(&o.module, "module", false, "begin the tensors' names with module., as data-parallel training leaves them")
	f.StringVar(&o.average, "average", "", "another network of the same shape, such as the one that IN was trained from: write the mean of the two")
	f.StringVar(&o.cohort, "cohort", "", "features of the classes that the network was trained on, .npy as `deepemd features --set train --each 30` writes them: their means go into the file, and strangers are judged against them")
	o.register(f)
	return command
}

// form is an output format for weights.
type form struct {
	name    string // for messages
	is      func(head []byte) bool
	without map[string]string // unsupported flags, with the remedy
	write   func(path string, f *weights.File, o *exportOptions) error
}

// formOf returns the format for a path's extension.
func formOf(path string) (form, error) {
	const floats = "only a safetensors file may have it: leave it out"
	switch ending := filepath.Ext(path); {
	case strings.HasSuffix(path, "/"), strings.HasSuffix(path, string(filepath.Separator)), ending == "", isFolder(path):
		return form{"NumPy's arrays", verb.Begins("PK\x03\x04"), map[string]string{"dtype": floats}, func(path string, f *weights.File, _ *exportOptions) error {
			return arrays.WriteFolder(path, f)
		}}, nil
	case ending == ".npz":
		return form{"NumPy's arrays", verb.Begins("PK\x03\x04"), map[string]string{"dtype": floats}, func(path string, f *weights.File, _ *exportOptions) error {
			return atomicfile.Write(path, func(w io.Writer) error { return arrays.WriteNPZ(w, f) })
		}}, nil
	case ending == ".onnx":
		const encoder = "an ONNX model is the encoder under its own names: leave it out"
		return form{fmt.Sprintf("ONNX, opset %d", onnx.Opset), weights.IsONNX, map[string]string{"dtype": floats, "module": encoder, "keep-head": encoder},
			func(path string, f *weights.File, _ *exportOptions) error {
				return atomicfile.Write(path, func(w io.Writer) error { return onnx.Encode(w, f) })
			}}, nil
	case ending == ".safetensors":
		return form{"safetensors", weights.IsFile, nil, writeSafetensors}, nil
	case ending == ".pth", ending == ".pt":
		return form{}, fmt.Errorf("%s: PyTorch's pickles are not written: name a .safetensors file, which PyTorch loads with --module's names too", path)
	default:
		return form{}, fmt.Errorf("%s: no form has the ending %s: want .safetensors, .onnx, .npz, or a folder's name", path, ending)
	}
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// writeSafetensors writes weights in the project's format, with the mark that libraries expect for
// PyTorch's tensor layout.
func writeSafetensors(path string, f *weights.File, o *exportOptions) error {
	form, err := parseNumbers(o.dtype)
	if err != nil {
		return err
	}
	marked := *f
	marked.Meta.Extra = map[string]string{"format": "pt"}
	maps.Copy(marked.Meta.Extra, f.Meta.Extra)
	return atomicfile.Write(path, func(w io.Writer) error { return marked.Encode(w, form.dtype) })
}

// takeCohort adds the class means of a features file to the network.
func (f *imported) takeCohort(path string) error {
	cohort, err := evaluate.ReadCohort(path)
	if err != nil {
		return err
	}
	t := cohort.Tensor()
	if want := f.Meta.Widths[len(f.Meta.Widths)-1]; t.Shape[1] != want {
		return fmt.Errorf("%s: features of %d channels, the network's have %d: write them with this network", path, t.Shape[1], want)
	}
	f.Tensors[openset.CohortTensor] = t
	return nil
}

// export reads in, writes out, and prints a summary. given reports whether a flag was set.
func export(stdout io.Writer, in, out string, o exportOptions, given func(flag string) bool) error {
	form, err := formOf(out)
	if err != nil {
		return err
	}
	if err := o.output.Check(out, []string{in, o.average}, form.is); err != nil {
		return err
	}
	for _, flag := range slices.Sorted(maps.Keys(form.without)) {
		if given(flag) {
			return fmt.Errorf("--%s: %s", flag, form.without[flag])
		}
	}
	n, err := parseNumbers(o.dtype)
	if err != nil {
		return err
	}
	f, err := o.read(in, strings.TrimSuffix(filepath.Clean(out), filepath.Ext(out)))
	if err != nil {
		return err
	}
	if o.average != "" {
		if err := f.Average(o.average); err != nil {
			return fmt.Errorf("--average: %w", err)
		}
	}
	if o.cohort != "" {
		if err := f.takeCohort(o.cohort); err != nil {
			return fmt.Errorf("--cohort: %w", err)
		}
	}
	if f.File, err = n.round(f.File); err != nil {
		return err
	}
	if o.module {
		delete(f.Tensors, openset.CohortTensor) // the reference has no such tensor
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
	if err := form.write(out, f.File, &o); err != nil {
		return err
	}
	return f.summarise(stdout, out, form.name+", "+n.String(), n)
}
