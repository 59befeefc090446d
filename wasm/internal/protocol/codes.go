package protocol

import "github.com/deepemd/deepemd/core/learner"

// Codes of errors of the page and the worker, besides the learner's.
const (
	CodeCrashed      learner.Code = "crashed"       // the engine died; it is being restarted
	CodeOutOfMemory  learner.Code = "out-of-memory" // the engine died for lack of memory; it is being restarted in a smaller form
	CodeNetwork      learner.Code = "network"       // a file could not be fetched
	CodeBadProject   learner.Code = "bad-project"   // not a project file, or a damaged one
	CodeNewerProject learner.Code = "newer-project" // a project file of a newer version, or one that requires an unknown extension
	CodeWrongKind    learner.Code = "wrong-kind"    // a project of another kind than the engine: images, sounds or features
	CodeBadGallery   learner.Code = "bad-gallery"   // a gallery whose file is damaged or is not a gallery
	CodeNewerGallery learner.Code = "newer-gallery" // a gallery of another version of deepemd
	CodeInUse        learner.Code = "in-use"        // another tab is changing the gallery
	CodeUnknownName  learner.Code = "unknown-name"  // the gallery has no image of that name
	CodeBackbone     learner.Code = "backbone"      // the page's backbone failed, or returned unusable features
	CodeUnsupported  learner.Code = "unsupported"   // the browser lacks a required feature
	CodeDisposed     learner.Code = "disposed"      // the engine was disposed of
)
