package main

import (
	"errors"
	"fmt"

	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/gallery"
	"github.com/deepemd/deepemd/core/match"
)

// request is a request of JavaScript: one of the kinds in keeper.answer, with its fields.
// wasm/npm/gallery-program.js declares the same.
type request struct {
	What       string          `json:"what"`
	Catalog    gallery.Catalog `json:"catalog"`    // open
	Name       string          `json:"name"`       // add, explain: name of the picture
	Names      []string        `json:"names"`      // has, remove
	Summarized bool            `json:"summarized"` // add, search, explain: the last values are the summary
	Weighting  string          `json:"weighting"`  // search, explain: name of the weighting
	Limit      int             `json:"limit"`      // search: number of results
	Candidates int             `json:"candidates"` // search: number of matched pictures
}

// state is the answer to requests that change the gallery.
type state struct {
	Pictures int `json:"pictures"` // searchable pictures
	Waiting  int `json:"waiting"`  // pictures to commit
	Deleted  int `json:"deleted"`  // deleted pictures whose bytes are still in the file
	Bytes    int `json:"bytes"`    // size of the file
}

type searchAnswer struct {
	Found    []hit   `json:"found"` // best first
	Matched  int     `json:"matched"`
	ChooseMS float64 `json:"chooseMs"` // candidates by global descriptors
	MatchMS  float64 `json:"matchMs"`
}

type hit struct {
	Name       string   `json:"name"`
	Similarity *float64 `json:"similarity,omitempty"` // of the matched parts, −1 to 1; nil without a match
	Cosine     float64  `json:"cosine"`               // of the global descriptors
}

// explained is the answer to explain: one match.
type explained struct {
	Similarity float64   `json:"similarity"`
	Query      []float64 `json:"query"`   // weights of the query's nodes
	Support    []float64 `json:"support"` // weights of the other picture's nodes
	Cosines    []float64 `json:"cosines"` // [query, support]
	Flow       []float64 `json:"flow"`    // [query, support]
}

type failure struct {
	Error reason `json:"error"`
}

// reason is a code of the JavaScript package with a message.
type reason struct {
	Code    string `json:"code"`
	Message string `json:"message"`
}

type coded struct {
	code string
	error
}

// errFile is the error of the file. The worker has its cause.
var errFile = errors.New("the file could not be written")

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

// remedy is the advice for an unreadable index.
const remedy = ": remove the gallery (removeGallery) and add its pictures again"

func badArgument(format string, args ...any) error {
	return coded{"bad-argument", fmt.Errorf(format, args...)}
}
