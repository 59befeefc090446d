package protocol

import (
	"github.com/deepemd/deepemd/core/answer"
	"github.com/deepemd/deepemd/core/method"
)

// Init starts the engine, with a model or for features that the page computes. It is the first
// request, and is sent once.
type Init struct {
	Weights   []byte        `wire:",omitempty" ts:"{ url: string; bytes: number } | Blob | ArrayBuffer"` // the model: a safetensors file, or its address and length (0: unknown)
	Features  *Features     // instead of a model
	Method    method.Method `ts:"MethodOption"`                                                                          // absent fields have their defaults
	Skip      bool          `wire:",omitempty"`                                                                          // stop matching classes that cannot win
	LowMemory bool          `wire:",omitempty"`                                                                          // hold the weights in a smaller, slower form
	_         struct{}      `wire:"engine" ts:"{ url: string; bytes: number } | Blob | ArrayBuffer | WebAssemblyModule"` // the program, or its address and length
	_         struct{}      `wire:"script" ts:"string"`                                                                  // the address of the worker's script, for further workers
	_         struct{}      `wire:"workers" ts:"number"`                                                                 // the number of workers that encode crops
}

// Started describes the running engine.
type Started struct {
	Info    Info
	Method  method.Method
	Choices Choices
	_       struct{} `wire:"module" ts:"WebAssemblyModule"`      // the program, to start another
	_       struct{} `wire:"weights,omitempty" ts:"ArrayBuffer"` // the weights file; absent with features
}

// Features describes the features that the page computes itself.
type Features struct {
	Name     string          `wire:",omitempty"` // their name: a project opens for features of the same name and shape
	Nodes    int             // local embeddings per input; 0 channels until reshape
	Channels int             // length of each node
	Regions  []answer.Region `wire:",omitempty"` // [nodes, 4]: x0, y0, x1, y1 of each node's region
}

// Reshape changes the features of an engine without examples.
type Reshape struct {
	Features Features
	Drafted
}

// Info describes a running engine.
type Info struct {
	Name       string     // short name of the model, or of the features
	Version    string     // version of the engine
	Kernels    string     // the kernels in use: "simd128-fma" (fused multiplications), "simd128" or "generic"
	Sound      bool       // recognizes sounds instead of images
	Features   bool       // takes features that the page computes: there is no model
	InputSize  int        // side of the model's input in pixels; with features, side of the thumbnails
	Preprocess Preprocess // how an image becomes the model's input
	Widths     []int      // channels of the model's four blocks
	Nodes      int        // local embeddings per image
	Channels   int        // length of each node
	Crops      int        // passes through the model per image: 1, or the number of crops
	_          struct{}   `wire:"workers" ts:"number"` // workers that encode crops in parallel
}

// Preprocess describes how an image becomes the model's input. The central square is scaled
// to size pixels; if resize is above 0, the whole image is stretched to a square of resize pixels
// instead, and its central size pixels are cut out. Values from 0 to 1 are then normalized: mean
// is subtracted, and the result is divided by std, for red, green and blue.
type Preprocess struct {
	Size   int        // side of the model's input, in pixels
	Resize int        // side to which the image is stretched before the center is cut out; 0 for the central square
	Mean   [3]float32 // for red, green and blue
	Std    [3]float32 // for red, green and blue
}

// Choices lists the available settings of an engine.
type Choices struct {
	Embedders   []method.Name // how an image becomes local embeddings
	Classifiers []method.Name // the classifiers
	Weightings  []method.Name // the weightings of nodes
	Solvers     []method.Name // the solvers that match nodes
}

// Configure changes the method, except its embedder.
type Configure struct {
	Method method.Method `ts:"MethodOption"` // absent fields have their defaults
	Skip   bool          `wire:",omitempty"` // as in init
}

// Configured has the new method.
type Configured struct {
	Method method.Method
	Embeds bool `wire:",omitempty"` // nothing was changed, because the method has another embedder, which requires re-embedding all examples
}
