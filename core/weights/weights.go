// Package weights reads and writes the files that hold a trained network:
// safetensors, with the facts needed to use the network in its metadata.
//
// The package holds the format (header, tensors, half floats) and the checks of the
// metadata. Package resnet knows what the tensors mean; opening files is up to the
// caller.
//
// The metadata of a file are texts by key, see Meta: arch, widths ("64,160,320,640"),
// input_size (pixels), mean and std ("0.485,0.456,0.406": red, green, blue in 0…1),
// name, trained_on, classes (a JSON list), and assumed. assumed marks a network whose
// mean, std or both ("mean,std") nobody stated, so that they are ImageNet's by
// assumption: whoever uses it should know, as a wrong guess costs accuracy.
package weights

import "github.com/deepemd/deepemd/internal/tensor"

// Meta says how a network is built and how pictures must reach it.
type Meta struct {
	Arch      string            // "resnet12"
	Widths    []int             // channels of the four blocks
	InputSize int               // side in pixels of the square input
	Mean, Std [3]float32        // normalisation of RGB in [0,1]
	TrainedOn string            // data set and split, for people
	Classes   []string          // names of the classes that it learned from; nil where that is not known
	Name      string            // short name, for people: "resnet12-s"
	Assumed   []string          // of mean and std, those that were assumed as nothing states them, by their keys; nil for none
	Extra     map[string]string // any further entries, kept as they are
}

// File is a network's weights in memory by the names of the reference's state dict
// (encoder.layer1.0.conv1.weight [Cout,Cin,3,3] …): float32, but for those that are to be
// computed with as bytes.
type File struct {
	Source  string // where it came from, for error messages: a file name or address
	Meta    Meta
	Tensors map[string]*tensor.Tensor
	Bytes   map[string]*Bytes // nil for none; their names are not among those of Tensors
}
