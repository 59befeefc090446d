package protocol

import "github.com/deepemd/deepemd/core/method"

// Init starts the engine, with a network or for features that the page computes. It
// comes first, once.
//
//deepemd:request
type Init struct {
	Weights   []byte        `wire:",omitempty" ts:"{ url: string; bytes: number } | Blob | ArrayBuffer"` // the network: a safetensors file, or its address and length (0: unknown)
	Features  *Features     // in place of a network
	Method    method.Method `ts:"MethodOption"`                                                                          // what it leaves out is the default's
	Skip      bool          `wire:",omitempty"`                                                                          // leave classes that cannot win unsolved
	LowMemory bool          `wire:",omitempty"`                                                                          // hold the weights in the smaller, slower form
	_         struct{}      `wire:"engine" ts:"{ url: string; bytes: number } | Blob | ArrayBuffer | WebAssemblyModule"` // the program, or its address and length
	_         struct{}      `wire:"script" ts:"string"`                                                                  // the address of the worker's own script, to start helpers with
	_         struct{}      `wire:"workers" ts:"number"`                                                                 // encode crops at the same time
}

// InitReply says what runs.
type InitReply struct {
	Info    Info
	Method  method.Method
	Choices Choices
	_       struct{} `wire:"module" ts:"WebAssemblyModule"`      // the program, to start another
	_       struct{} `wire:"weights,omitempty" ts:"ArrayBuffer"` // the weights file; absent with features
}

// Features says which features the page computes itself.
type Features struct {
	Name     string    `wire:",omitempty"` // whose they are: a project opens for features of the same name and shape
	Nodes    int       // local embeddings of a thing; with channels 0, until reshape says
	Channels int       // length of each
	Regions  []float32 `wire:",omitempty"` // [nodes, 4]: x0, y0, x1, y1 of the part of a picture that each node comes from
}

// Reshape says which features come to an engine that was started with others, as
// long as it has no examples.
//
//deepemd:request
type Reshape struct {
	Features Features
	Draft    bool `wire:",omitempty"` // to the draft
}

// Info says what an engine runs.
type Info struct {
	Name       string     // short name of the network, or of the features
	Version    string     // of the engine
	Kernels    string     // which kernels compute: "simd128-fma" (fused multiplications), "simd128" or "generic"
	Sound      bool       // tells sounds apart instead of pictures
	Features   bool       // takes features that the page computes: there is no network
	InputSize  int        // side in pixels of the square that the network sees; with features, of the pictures that are kept for showing
	Preprocess Preprocess // how a picture becomes the network's input
	Widths     []int      // channels of the network's four blocks
	Nodes      int        // local embeddings of a picture
	Channels   int        // length of each
	Crops      int        // passes through the network that a picture takes: 1, or the number of its crops
	_          struct{}   `wire:"workers" ts:"number"` // that encode them at the same time
}

// Preprocess is how a picture becomes the network's input: its central square is
// scaled to size pixels (with resize above 0, the whole to that side before its
// centre is cut out); then, on a scale of 0 to 1, mean is taken off and the rest
// divided by std, for red, green and blue.
type Preprocess struct {
	Size   int        // side of the network's input, in pixels
	Resize int        // side of the square that a picture is scaled to before the input is cut out of its middle; 0 for neither
	Mean   [3]float32 // of red, green and blue, taken away
	Std    [3]float32 // of red, green and blue, divided by
}

// Choices lists what an engine can be told to do.
type Choices struct {
	Embedders   []Choice // how a picture becomes local embeddings
	Classifiers []Choice // what learns the classes
	Weightings  []Choice // how much each node counts
	Solvers     []Choice // how nodes are matched
}

// Choice is something that can be chosen.
type Choice struct {
	Name string // as options and methods spell it
	What string // it does, in a line
}

// Configure changes the method, but for what makes embeddings.
//
//deepemd:request
type Configure struct {
	Method method.Method `ts:"MethodOption"` // what it leaves out is the default's
	Skip   bool          `wire:",omitempty"` // as in init
}

// ConfigureReply says how things are recognised from now on.
type ConfigureReply struct {
	Method method.Method
	Embeds bool `wire:",omitempty"` // nothing was changed: the method has another embedder, by which every example has to be embedded again
}
