package learner

import "fmt"

// Code tells programs what went wrong.
type Code string

// Codes of a learner's errors.
const (
	CodeBadImage       Code = "bad-image"       // no picture, or a broken one
	CodeBadSound       Code = "bad-sound"       // no recording, or a broken one
	CodeSilent         Code = "silent"          // nothing is heard
	CodeBadWeights     Code = "bad-weights"     // no network, or one that does not run
	CodeBadArgument    Code = "bad-argument"    // what the caller can mend
	CodeEmpty          Code = "empty"           // no examples yet
	CodeUnknownClass   Code = "unknown-class"   // no class of that id
	CodeUnknownExample Code = "unknown-example" // no example of that id
	CodeChanged        Code = "changed"         // examples came or went meanwhile
	CodeInternal       Code = "internal"        // requests that the caller's own code put together wrongly
)

// Error is a failure that programs can tell apart by its code.
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
