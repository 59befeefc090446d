package protocol

import "github.com/deepemd/deepemd/core/learner"

// Codes of errors that come from the page and the worker, beside the learner's.
const (
	CodeCrashed      learner.Code = "crashed"       // the engine died; it is being restarted
	CodeOutOfMemory  learner.Code = "out-of-memory" // the engine died for lack of memory; it is being restarted in a smaller form
	CodeNetwork      learner.Code = "network"       // a file could not be fetched
	CodeBadProject   learner.Code = "bad-project"   // no project file, or a damaged one
	CodeNewerProject learner.Code = "newer-project" // a project file that a newer version wrote, or that needs what this one does not know
	CodeWrongKind    learner.Code = "wrong-kind"    // a project of other things than the engine takes: pictures, sounds or features
	CodeBadGallery   learner.Code = "bad-gallery"   // a gallery whose file is none, or damaged
	CodeNewerGallery learner.Code = "newer-gallery" // a gallery that another version of deepemd keeps
	CodeInUse        learner.Code = "in-use"        // another tab is changing the gallery
	CodeUnknownName  learner.Code = "unknown-name"  // the gallery has no picture of that name
	CodeBackbone     learner.Code = "backbone"      // the page's own backbone failed, or gave no features
	CodeUnsupported  learner.Code = "unsupported"   // the browser lacks something
	CodeDisposed     learner.Code = "disposed"      // the engine was disposed of
)
