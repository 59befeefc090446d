package jpeg

import "errors"

// ErrTruncated says that the data end before the picture does.
var ErrTruncated = errors.New("jpeg: the data end before the picture does")

// ErrScans says that a progressive file goes over its picture more often than any
// encoder does.
var ErrScans = errors.New("jpeg: too many scans")

// FormatError says what in the data is not as JPEG has it.
type FormatError string

// Error says what is wrong with the file.
func (e FormatError) Error() string { return "jpeg: " + string(e) }

// UnsupportedError names a feature of JPEG that this decoder does not have.
type UnsupportedError string

// Error names the feature that is not supported.
func (e UnsupportedError) Error() string { return "jpeg: " + string(e) + " is not supported" }
