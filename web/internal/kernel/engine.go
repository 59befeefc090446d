package kernel

import (
	"errors"
	"slices"

	"github.com/deepemd/deepemd/core/answer"
	"github.com/deepemd/deepemd/core/method"
)

// Source is a video, a file or another source of an image. The kernel only hands it on.
type Source any

// File is an image, a sound or a project that the user chose.
type File struct {
	Name   string
	Source Source
	Path   string // in its folder or archive, with slashes; "" for a file that is in none
}

// isProject reports whether the file name is a project's or an archive's, which may contain a
// project.
func (f File) isProject() bool {
	return f.isArchive() || extension(f.Name) == ".deepemd"
}

// isArchive reports whether the file name is an archive's: a zip, or a project of Teachable
// Machine, which is a zip.
func (f File) isArchive() bool {
	return slices.Contains([]string{".zip", ".tm"}, extension(f.Name))
}

// Engine is the kernel's view of deepemd.js. Its calls block until the engine has answered; their
// errors are of type *Error.
type Engine interface {
	// AddClass adds an empty class, or with nothing a background class. It fails if the id is
	// taken.
	AddClass(id, label string, nothing bool) error
	// RenameClass renames a class. It fails for an unknown class, like the following methods.
	RenameClass(id, label string) error
	// RemoveClass removes a class with its examples.
	RemoveClass(id string) error
	// AddExample embeds an image or sound as an example of a class. It returns an error of
	// CodeBadImage, CodeBadSound or CodeSilent if the source cannot be read.
	AddExample(classID, id string, source Source) error
	// RestoreExamples adds examples whose contents the store has, from this page or an earlier one,
	// to a class.
	RestoreExamples(classID string, ids []string) (Restored, error)
	// RemoveExample removes an example.
	RemoveExample(id string) error
	// EnableClass includes a class with its examples in answers, or excludes it.
	EnableClass(id string, enabled bool) error
	// Configure changes the method, and the network unless weights is nil. It embeds the examples
	// again if necessary, while images can be classified. If stop is closed or an error occurs,
	// nothing changes.
	Configure(m method.Method, weights *Weights, progress func(done, all int), stop <-chan struct{}) error
	// Review examines the examples of all enabled classes. It returns an error of CodeEmpty if
	// there are none.
	Review() (answer.Review, error)
	// Growth measures the accuracy for increasing numbers of examples, and reports intermediate
	// results. It returns an error of CodeEmpty if there are too few examples, and of CodeStopped
	// once stop is closed.
	Growth(progress func(answer.Curve), stop <-chan struct{}) (answer.Curve, error)
	// Train fits DeepEMD's structured fully connected layer to the examples, and reports completed
	// passes. It returns an error of CodeStopped once stop is closed.
	Train(progress func(done, all int), stop <-chan struct{}) (*answer.Gain, error)
	// Learned reports whether answers use the result of Train.
	Learned() bool
	// Memory returns the size of the examples in the page's memory, in bytes.
	Memory() int
	// Classify compares an image or sound with the classes that have examples; it returns an error
	// of CodeEmpty without any. With live, the answer may lag behind the latest examples.
	Classify(source Source, live bool) (Answer, error)
	// Explain is Classify with an explanation for a class, or with "" for the predicted class. The
	// match is nil if its example was just removed.
	Explain(source Source, live bool, classID string) (Answer, *Match, error)
	// Info describes the network that runs.
	Info() Info
}

// Match explains the similarity of an image to a class by its match with the most similar example
// of the class.
type Match struct {
	*answer.Explanation
	Answer Answer
	// Seen and Example are the pixels of both, as seen by the network.
	Seen, Example Source
}

// Alike returns the similarity of the two images, 0 to 1: the weighted mean over the match.
func (m *Match) Alike() float64 { return max(0, m.Score/m.Temperature) }

// Restored is the result of restoring examples. It is valid even if others caused an error.
type Restored struct {
	Taught   []string // ids of the examples that the engine has now
	Embedded int      // the number of these that the engine had to embed
	Refused  []RefusedExample
}

// RefusedExample is an example that is not an image, or a sound.
type RefusedExample struct {
	ID   string
	Name string // of its file
	Err  *Error `wire:"error"` // of CodeBadImage, CodeBadSound or CodeSilent
}

// Info describes the network that the engine runs.
type Info struct {
	Network     string `wire:"name"` // such as "resnet12-photo"
	Fingerprint string // hexadecimal SHA-256 of the network's file
	Kernels     string // such as "simd128"
	InputSize   int    // side of the square input in pixels
}

// Codes of errors that the kernel distinguishes. The engine's come from deepemd.js; the camera's
// determine the remedy.
const (
	CodeBadImage    = "bad-image"
	CodeBadSound    = "bad-sound"
	CodeSilent      = "silent"
	CodeCrashed     = "crashed"
	CodeOutOfMemory = "out-of-memory"
	CodeEmpty       = "empty"
	CodeChanged     = "changed"
	CodeNetwork     = "network"
	CodeUnknown     = "unknown-class"

	CodeDenied    = "denied"
	CodeMissing   = "missing"
	CodeTaken     = "taken"
	CodeInsecure  = "insecure"
	CodeUnplugged = "unplugged"
	CodeAborted   = "aborted"
	CodeLate      = "late" // the camera or microphone does not start
)

// Unusable reports whether an engine rejected a source because of its content: it is not an image,
// not a sound, or a file that the browser cannot read.
func Unusable(err error) bool {
	switch CodeOf(err) {
	case CodeBadImage, CodeBadSound, CodeSilent, CodeUnreadable:
		return true
	}
	return false
}

// Error is an error of the engine, the camera or the store.
type Error struct {
	Code    string
	Message string // with the remedy if the reason is known
}

// Error returns the message.
func (e *Error) Error() string { return e.Message }

// CodeOf returns the code of an error, or "" for other errors.
func CodeOf(err error) string {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Code
	}
	return ""
}
