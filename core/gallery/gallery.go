package gallery

import (
	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/match"
)

// Gallery is a set of pictures to search. Several goroutines may call its methods
// at a time.
type Gallery interface {
	// Len is the number of pictures.
	Len() int
	// Globals returns the pictures' global features, [Len, C]; see Global. They must
	// not be modified.
	Globals() (values []float32, channels int)
	// Summarized reports whether these were made of the pictures' summaries.
	Summarized() bool
	// Prepared returns picture i as m matches it, valid until the next call with
	// the same scratch.
	Prepared(i int, m *match.Matcher, scratch *Scratch) (*match.Prepared, error)
}

// Scratch is working memory for the pictures of a gallery. Its zero value is ready.
type Scratch struct {
	raw      []byte
	set      embed.Set
	prepared match.Prepared
}
