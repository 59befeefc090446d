package learner

import "fmt"

// Code identifies an error for programs.
type Code string

// Codes of a learner's errors.
const (
	CodeBadImage       Code = "bad-image"       // not an image, or a damaged one
	CodeBadSound       Code = "bad-sound"       // not a recording, or a damaged one
	CodeSilent         Code = "silent"          // the recording is silent
	CodeBadWeights     Code = "bad-weights"     // not a model, or an unsupported one
	CodeWrongNetwork   Code = "wrong-network"   // a project of features, or a gallery, that was made with another model
	CodeBadArgument    Code = "bad-argument"    // the caller can correct it
	CodeEmpty          Code = "empty"           // there are no examples yet
	CodeUnknownClass   Code = "unknown-class"   // no class with this id
	CodeUnknownExample Code = "unknown-example" // no example with this id
	CodeChanged        Code = "changed"         // examples changed during the call
	CodeInternal       Code = "internal"        // a malformed request: a bug in the calling code
)

// Error is a failure that programs can identify by its code.
type Error struct {
	Code    Code
	Message string // for users: the cause and the remedy
}

// Error returns the message.
func (e *Error) Error() string { return e.Message }

// fail returns an Error.
func fail(code Code, format string, args ...any) *Error {
	return &Error{Code: code, Message: fmt.Sprintf(format, args...)}
}
