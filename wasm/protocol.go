package wasm

import (
	"errors"
	"fmt"

	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/imaging"
)

// Types of requests. Every request gets one reply, in order; deepemd.d.ts has
// the same list for the JavaScript side.
const (
	TypeInit          = "init"
	TypeAddClass      = "addClass"
	TypeRenameClass   = "renameClass"
	TypeRemoveClass   = "removeClass"
	TypeAddExample    = "addExample"
	TypeRemoveExample = "removeExample"
	TypeClassify      = "classify"
	TypeExplain       = "explain" // about the picture that was classified last
	TypeEnableClass   = "enableClass"
	TypeConfigure     = "configure"    // change what needs no new embeddings
	TypeReview        = "review"       // what the examples say about themselves
	TypeTrain         = "train"        // begin to learn the classes
	TypeTrainSlice    = "trainSlice"   // go on for some milliseconds
	TypeStopTraining  = "stopTraining" // drop it
	TypeInputs        = "inputs"       // list the crops of a picture, to be encoded elsewhere
	TypeEncode        = "encode"       // encode crops of any picture
	TypeMemory        = "memory"       // for measurements: what memory there is
	TypeCrash         = "crash"        // for tests: the engine fails
)

// Request is a request of any type; each uses the fields named here.
type Request struct {
	Type string

	ClassID   string    // addClass, renameClass, removeClass, addExample
	ExampleID string    // addExample, removeExample
	Label     string    // addClass, renameClass
	Picture   Picture   // addExample, classify, inputs
	Embedding []float32 // addExample: of the picture, where it is known
	Answer    bool      // addExample: reply with an answer for the example, too
	Pixels    bool      // classify: reply with what the network saw
	Explain   bool      // classify: reply with an explanation, too; of the class, see Engine.Explain

	Train   Train   // train
	SliceMS float64 // trainSlice: how long
	Unknown bool    // classify: reply with whether it is any of the classes
	Enabled bool    // enableClass

	Crops []byte // encode: [n, InputSize, InputSize, 3], RGB

	Weights []byte  // init: a safetensors file
	Options Options // init, configure

	How string // crash: "panic", "memory", "exit" or "hang"
}

// Reply answers a request; each type fills the fields named here.
type Reply struct {
	Info        *Info          // init
	Inputs      *Inputs        // inputs
	Features    []float32      // encode: [n, Channels]
	Embedding   []float32      // addExample without one: [Nodes, Channels]
	Answer      *Answer        // classify, addExample with Answer
	Picture     *imaging.Image // addExample, classify with Pixels: what the network saw
	Second      []float32      // with Picture, where it is of a sound: what was heard, at 16 kHz
	Explanation *Explanation   // explain, classify with Explain
	Trained     *Trained       // train, trainSlice
	Original    *imaging.Image // addExample: see Engine.Original
	Review      *Review        // review
	Memory      *Memory        // memory
}

// Picture is a picture as it reaches the engine: an encoded file (JPEG, PNG or
// WebP) when Width is 0, else rows of RGB or RGBA pixels, told apart by length. For an
// engine that hears the file is a recording, and there may be samples in its place.
// With Features it is the one of the last request for inputs, whatever else it
// says.
type Picture struct {
	Data          []byte
	Width, Height int
	Samples       []float32 // of a sound, where Rate is not 0; full scale is ±1
	Rate          int       // samples a second
	Features      []float32 // of its crops in their order, [Info.Inputs, Channels]
}

// Inputs are the crops of a picture.
type Inputs struct {
	N      int    // Info.Inputs
	Size   int    // side of each
	Pixels []byte // [N, Size, Size, 3], RGB
}

// Options says how to classify. The zero value is the default.
type Options struct {
	Classifier  string       // "prototype" (default), "nearest", "fusion", "merge" or "cosine"
	Weighting   string       // "cross-reference" (default) or "equal"
	Solver      string       // "simplex" (default: optimal flows) or "dense" (all with all)
	Temperature float64      // of the scores; 0 for the usual one
	Embedder    embed.Choice // how a picture becomes local embeddings
	Skip        bool         // leave classes that cannot win unsolved: Score.Bound
	LowMemory   bool         // hold the weights in the smaller, slower form
}

// Info says what an engine runs.
type Info struct {
	Name      string     // of the network
	Version   string     // of the engine
	Kernels   string     // which kernels compute
	InputSize int        // side in pixels of the network's input
	Widths    []int      // channels of the four blocks
	Nodes     int        // local embeddings of a picture
	Channels  int        // length of each
	Mean, Std [3]float32 // of the pixels' colours, by which they are normalised
	Inputs    int        // passes through the network that a picture takes
}

// Score is how well a picture matches a class.
type Score struct {
	ID, Label string
	Score     float64 // probability among the classes that have examples
	Logit     float64 // the classifier's score, temperature included
	Bound     bool    // Logit is an upper bound only, of a class that cannot win
}

// Answer is the outcome of a classification.
type Answer struct {
	Scores  []Score // of every class that has examples, best first
	EmbedMS float64 // milliseconds from picture to local embeddings
	MatchMS float64 // milliseconds of matching
	Unknown *Unknown
}

// Code tells programs what went wrong. The codes that the engine itself gives
// are here; deepemd.d.ts has those of the worker and the page as well.
type Code string

// Codes of errors.
const (
	CodeBadImage       Code = "bad-image"
	CodeBadSound       Code = "bad-sound"
	CodeSilent         Code = "silent"
	CodeBadWeights     Code = "bad-weights"
	CodeBadArgument    Code = "bad-argument"
	CodeEmpty          Code = "empty"
	CodeUnknownClass   Code = "unknown-class"
	CodeUnknownExample Code = "unknown-example"
	CodeChanged        Code = "changed"
	CodeInternal       Code = "internal"
)

// Error is a failure as it travels to the page.
type Error struct {
	Code    Code
	Message string // names the thing and the remedy, for people
}

// Error returns the message, which is made for people.
func (e *Error) Error() string { return e.Message }

// fail returns an Error.
func fail(code Code, format string, args ...any) *Error {
	return &Error{Code: code, Message: fmt.Sprintf(format, args...)}
}

// asError gives any error a code: "internal" where it has none.
func asError(err error) *Error {
	var e *Error
	if errors.As(err, &e) {
		return e
	}
	return &Error{Code: CodeInternal, Message: err.Error()}
}
