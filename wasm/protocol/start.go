package protocol

import "github.com/deepemd/deepemd/core/method"

// Init starts the engine. It comes first, once.
//
//deepemd:request
type Init struct {
	Weights   []byte        `ts:"string | ArrayBuffer"`                                    // the network: a safetensors file, or its address
	Method    method.Method `ts:"MethodOption"`                                            // what it leaves out is the default's
	Skip      bool          `wire:",omitempty"`                                            // leave classes that cannot win unsolved
	LowMemory bool          `wire:",omitempty"`                                            // hold the weights in the smaller, slower form
	_         struct{}      `wire:"engine" ts:"string | ArrayBuffer | WebAssembly.Module"` // the program, or its address
	_         struct{}      `wire:"workers" ts:"number"`                                   // encode crops at the same time
}

// InitReply says what runs.
type InitReply struct {
	Info    Info
	Method  method.Method
	Choices Choices
	_       struct{} `wire:"module" ts:"WebAssembly.Module"` // the program, to start another
	_       struct{} `wire:"weights" ts:"ArrayBuffer"`       // the weights file
}

// Info says what an engine runs.
type Info struct {
	Name       string     // short name of the network
	Version    string     // of the engine
	Kernels    string     // which kernels compute: "simd128-fma" (fused multiplications), "simd128" or "generic"
	Sound      bool       // tells sounds apart instead of pictures
	InputSize  int        // side in pixels of the square that the network sees
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
	Size   int
	Resize int
	Mean   [3]float32
	Std    [3]float32
}

// Choices lists what an engine can be told to do.
type Choices struct {
	Embedders   []Choice
	Classifiers []Choice
	Weightings  []Choice
	Solvers     []Choice
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
