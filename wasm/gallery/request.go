package main

import (
	"errors"
	"fmt"

	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/gallery"
	"github.com/deepemd/deepemd/core/match"
)

// request is what JavaScript asks: one of the kinds that keeper.answer knows, with the
// fields that it has a use for. wasm/npm/gallery-program.js declares the same.
type request struct {
	What       string            `json:"what"`
	Catalogue  gallery.Catalogue `json:"catalogue"`  // open
	Name       string            `json:"name"`       // add, explain: of the picture
	Names      []string          `json:"names"`      // has, remove
	Summarized bool              `json:"summarized"` // add, search, explain: the last values are the picture's summary
	Weighting  string            `json:"weighting"`  // search, explain: as methods name it
	Limit      int               `json:"limit"`      // search: how many to find
	Candidates int               `json:"candidates"` // search: how many are matched
}

// state is the answer to whatever changes the gallery.
type state struct {
	Pictures int `json:"pictures"` // that are searched
	Waiting  int `json:"waiting"`  // for the next commit
	Deleted  int `json:"deleted"`  // whose bytes are still there
	Bytes    int `json:"bytes"`    // of the file
}

// found is the answer to search.
type found struct {
	Found    []hit   `json:"found"` // the best first
	Matched  int     `json:"matched"`
	ChooseMS float64 `json:"chooseMs"` // candidates by global features
	MatchMS  float64 `json:"matchMs"`
}

// hit is a picture that was found.
type hit struct {
	Name       string   `json:"name"`
	Similarity *float64 `json:"similarity,omitempty"` // of the matched parts, −1 to 1; nil where none were matched
	Cosine     float64  `json:"cosine"`               // of the global features
}

// explained is the answer to explain: one match.
type explained struct {
	Similarity float64   `json:"similarity"`
	Query      []float64 `json:"query"`   // weights of the nodes
	Support    []float64 `json:"support"` // of the kept picture's
	Cosines    []float64 `json:"cosines"` // [query, support]
	Flow       []float64 `json:"flow"`    // [query, support]
}

// failure is the answer to what fails.
type failure struct {
	Error reason `json:"error"`
}

// reason says why, by a code of the JavaScript package's and in words.
type reason struct {
	Code    string `json:"code"`
	Message string `json:"message"`
}

// coded is an error with its code.
type coded struct {
	code string
	error
}

// Unwrap returns the error that has the code.
func (e coded) Unwrap() error { return e.error }

// errFile says that the file failed; the worker says why.
var errFile = errors.New("the file could not be written")

// fault gives an error its code.
func fault(err error) reason {
	var known coded
	switch {
	case errors.As(err, &known):
		return reason{known.code, known.Error()}
	case errors.Is(err, errFile):
		return reason{"file", err.Error()}
	case errors.Is(err, gallery.ErrVersion):
		return reason{"newer-gallery", gallery.ErrVersion.Error() + remedy}
	case errors.Is(err, gallery.ErrForeign):
		return reason{"bad-gallery", gallery.ErrForeign.Error() + remedy}
	case errors.Is(err, gallery.ErrDamaged):
		return reason{"bad-gallery", gallery.ErrDamaged.Error() + remedy}
	case errors.Is(err, embed.ErrFlat), errors.Is(err, match.ErrNotFinite), errors.Is(err, embed.ErrSet), errors.Is(err, match.ErrChannels):
		return reason{"bad-argument", err.Error()}
	}
	return reason{"internal", err.Error()}
}

// remedy is what to do about an index that cannot be read.
const remedy = ": remove the gallery (removeGallery) and add its pictures again"

func badArgument(format string, args ...any) error {
	return coded{"bad-argument", fmt.Errorf(format, args...)}
}
