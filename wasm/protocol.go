package wasm

import (
	"errors"
	"fmt"

	"github.com/deepemd/deepemd/core/imaging"
	"github.com/deepemd/deepemd/core/learner"
	"github.com/deepemd/deepemd/core/method"
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

	ClassID   string          // addClass, renameClass, removeClass, addExample
	ExampleID string          // addExample, removeExample
	Label     string          // addClass, renameClass
	Picture   learner.Picture // addExample, classify, inputs
	Embedding []float32       // addExample: of the picture, where it is known
	Answer    bool            // addExample: reply with an answer for the example, too
	Pixels    bool            // classify: reply with what the network saw
	Explain   bool            // classify: reply with an explanation, too; of the class, see Engine.Explain

	Train   learner.Train // train
	SliceMS float64       // trainSlice: how long
	Unknown bool          // classify: reply with whether it is any of the classes
	Enabled bool          // enableClass

	Crops []byte // encode: [n, InputSize, InputSize, 3], RGB

	Weights []byte  // init: a safetensors file
	Options Options // init, configure

	How string // crash: "panic", "memory", "exit" or "hang"
}

// Reply answers a request; each type fills the fields named here.
type Reply struct {
	Info        *learner.Info        // init
	Inputs      *learner.Inputs      // inputs
	Features    []float32            // encode: [n, Channels]
	Embedding   []float32            // addExample without one: [Nodes, Channels]
	Answer      *learner.Answer      // classify, addExample with Answer
	Picture     *imaging.Image       // addExample, classify with Pixels: what the network saw
	Second      []float32            // with Picture, where it is of a sound: what was heard, at 16 kHz
	Explanation *learner.Explanation // explain, classify with Explain
	Trained     *learner.Trained     // train, trainSlice
	Original    *imaging.Image       // addExample: see Engine.Original
	Review      *learner.Review      // review
	Memory      *Memory              // memory
}

// Options says what engine to start. The method's absent settings are the defaults.
type Options struct {
	Method    method.Method
	Skip      bool // leave classes that cannot win unsolved: learner.Score.Bound
	LowMemory bool // hold the weights in the smaller, slower form
}

// fail returns an error of the protocol's: a request that should not have come.
func fail(format string, args ...any) *learner.Error {
	return &learner.Error{Code: learner.CodeInternal, Message: fmt.Sprintf(format, args...)}
}

// asError gives any error a code: "internal" where it has none.
func asError(err error) *learner.Error {
	var e *learner.Error
	if errors.As(err, &e) {
		return e
	}
	return &learner.Error{Code: learner.CodeInternal, Message: err.Error()}
}
