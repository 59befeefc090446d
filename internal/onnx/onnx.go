// Package onnx writes a network as an ONNX model, for the runtimes that are not the
// project's own: any network of internal/backbone.
//
// It holds the graphs and as much of the format as they need. internal/onnx reads
// models.
package onnx

import (
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/internal/backbone"
)

// Opset is the version of ONNX's operators that models are written with.
const Opset = 13

// irVersion is the version of the format that came with Opset.
const irVersion = 7

// The names of a model's input and output.
const (
	Input  = "x"        // float32 [N, 3, H, W], normalised with the metadata's mean and std
	Output = "features" // float32 [N, C, h, w], the network's last map
)

// Encode writes the network of f as an ONNX model: [Input] to [Output], batch
// normalisation folded into the convolutions. Position (y, x) of the output is node
// y·w+x of DeepEMD-FCN, channels outermost where the project has them innermost. A grid
// that the file's facts pool the map to is not in the model: pooling stays with who runs
// it, by averages as PyTorch's AdaptiveAvgPool2d takes them.
//
// The number of pictures is left open, and so are their sides but for vision transformers:
// their embeddings of positions are resampled for the file's input size, and the model
// takes pictures of that alone.
//
// The facts of the file (mean, std, input_size, …) become the model's
// metadata_props, under the keys that safetensors files have. Tensors other than
// the encoder's are left out. The same weights always give the same bytes.
//
// # Errors
//
// Incomplete metadata, what [backbone.New] refuses, and an input size that patches do not
// divide, before anything is written; all name the file. Errors of w as they come.
func Encode(w io.Writer, f *weights.File) error {
	if err := f.Meta.Validate(); err != nil {
		return fmt.Errorf("%s: %w", f.Source, err)
	}
	// A model that is written is one that runs here too.
	network, err := backbone.New(f, backbone.Options{LowMemory: true})
	if err != nil {
		return err
	}
	graph, err := newGraph(f, network)
	if err != nil {
		return fmt.Errorf("%s: %w", f.Source, err)
	}
	_, err = model(f.Meta, graph).WriteTo(w)
	return err
}

// model returns a ModelProto.
func model(meta weights.Meta, g *graph) *message {
	var m, opset message
	m.integer(1, irVersion)
	m.text(2, "deepemd") // producer_name
	m.message(7, g.message())
	opset.integer(2, Opset) // of the domain "", ONNX's own
	m.message(8, &opset)
	entries := meta.Entries()
	for _, key := range slices.Sorted(maps.Keys(entries)) {
		var property message
		property.text(1, key)
		property.text(2, entries[key])
		m.message(14, &property)
	}
	return &m
}
