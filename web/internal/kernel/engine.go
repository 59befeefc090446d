package kernel

import (
	"errors"
	"strings"

	"github.com/deepemd/deepemd/core/answer"
	"github.com/deepemd/deepemd/core/method"
)

// Source shows a picture, as a video or a file does. The kernel only hands it on.
type Source any

// File is a picture, a sound or a project that a person chose.
type File struct {
	Name   string
	Source Source
}

// isProject reports whether the file's name is that of a project, or of an archive that
// may hold one.
func (f File) isProject() bool {
	return f.isArchive() || strings.HasSuffix(strings.ToLower(f.Name), ".deepemd")
}

// isArchive reports whether the file's name is that of an archive of other programs: a
// zip, or a project of Teachable Machine, which is one.
func (f File) isArchive() bool {
	name := strings.ToLower(f.Name)
	return strings.HasSuffix(name, ".zip") || strings.HasSuffix(name, ".tm")
}

// Engine is deepemd.js as the kernel sees it. Its calls block until the engine
// has answered; their errors are of type *Error.
type Engine interface {
	// AddClass adds a class without examples, one of nothing if it is to be that; an id
	// that is taken is an error.
	AddClass(id, label string, nothing bool) error
	// RenameClass changes what a class is called; an unknown class is an error, here
	// and in what follows.
	RenameClass(id, label string) error
	// RemoveClass removes a class with its examples.
	RemoveClass(id string) error
	// AddExample embeds a picture or sound as an example of a class. One that cannot
	// be read is an error of CodeBadImage, CodeBadSound or CodeSilent.
	AddExample(classID, id string, source Source) error
	// RestoreExamples teaches a class examples whose contents the store has, of this
	// page or another.
	RestoreExamples(classID string, ids []string) (Restored, error)
	// RemoveExample removes an example; an unknown one is an error.
	RemoveExample(id string) error
	// EnableClass has a class considered or passed over, with all its examples.
	EnableClass(id string, enabled bool) error
	// Configure changes how things are recognised, and the network unless weights is nil. All examples stay, embedded again where need be, while pictures can
	// be classified. When stop is closed, or it fails, all is as before.
	Configure(m method.Method, weights *Weights, progress func(done, all int), stop <-chan struct{}) error
	// Review looks at the examples of all classes that are enabled. Without any it is
	// an error of CodeEmpty.
	Review() (answer.Review, error)
	// Growth finds out how recognition grew with the examples, and reports what is found
	// so far. Where there are too few it is an error of CodeEmpty; when stop is closed,
	// of CodeStopped.
	Growth(progress func(answer.Curve), stop <-chan struct{}) (answer.Curve, error)
	// Train learns the classes from their examples, by the structured fully connected
	// layer (DeepEMD's SFC), and reports passes over them. When stop is
	// closed it is an error of CodeStopped.
	Train(progress func(done, all int), stop <-chan struct{}) (*answer.Gain, error)
	// Learned says whether answers come from what Train has learned.
	Learned() bool
	// Memory is how many bytes the examples take in the page.
	Memory() int
	// Classify compares a picture or sound with the classes that have examples;
	// without any it is an error of CodeEmpty. Of a live stream, the answer may lag
	// behind the examples.
	Classify(source Source, live bool) (Answer, error)
	// Explain is Classify that also says why, for a class or, for "", the one that
	// the picture is taken for. The match is nil when its example has just gone.
	Explain(source Source, live bool, classID string) (Answer, *Match, error)
	// Info says what runs.
	Info() Info
}

// Restored says what came of examples that were taught again; also when there was an
// error over others.
type Restored struct {
	Taught   []string // the ids of those that the engine knows now
	Embedded int      // how many of them it had to embed
	Refused  []RefusedExample
}

// RefusedExample is an example that holds no picture, or no sound.
type RefusedExample struct {
	ID   string
	Name string // of the file that it came from
	Err  error  // of CodeBadImage, CodeBadSound or CodeSilent
}

// Info says what the engine runs.
type Info struct {
	Network     string // such as "resnet12-s"
	Fingerprint string // of the network's file: its SHA-256, hexadecimal
	Kernels     string // such as "simd128"
	InputSize   int    // side in pixels of the square that the network sees
}

// Codes of errors that the kernel treats apart. The engine's are those of
// deepemd.js; the camera's say what a person can do about it.
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
	CodeLate      = "late" // the browser does not begin to show or hear
)

// Unusable reports whether an engine refused a source because of what it holds: it is no
// picture, or no sound.
func Unusable(err error) bool {
	switch CodeOf(err) {
	case CodeBadImage, CodeBadSound, CodeSilent:
		return true
	}
	return false
}

// Error is a failure of the engine or the camera.
type Error struct {
	Code    string
	Message string // with the remedy where the reason is known
}

// Error is the message alone: what stands behind it is in Code.
func (e *Error) Error() string { return e.Message }

// CodeOf returns the code of an error, or "" for errors of other kinds.
func CodeOf(err error) string {
	var e *Error
	if errors.As(err, &e) {
		return e.Code
	}
	return ""
}
