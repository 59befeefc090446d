package gallery

import (
	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/match"
)

// Gallery is a set of pictures to search. Several goroutines may call its methods
// at a time.
type Gallery interface {
	// Len is the number of pictures, those that were deleted included: pictures have the
	// numbers below it.
	Len() int
	// Channels is the number of channels of nodes and global features, C.
	Channels() int
	// Summarized reports whether global features are made of the pictures' summaries.
	Summarized() bool
	// Feature writes the global feature of picture i, [C], into dst; see Global.
	Feature(dst []float32, i int)
	// Cosines writes the products of a global feature, [C], with those of all pictures
	// into dst, [Len], on so many threads; −∞ for pictures that were deleted.
	Cosines(dst, feature []float32, threads int)
	// Prepared returns picture i as m matches it, valid until the next call with
	// the same scratch.
	Prepared(i int, m *match.Matcher, scratch *Scratch) (*match.Prepared, error)
}

// Scratch is working memory for the pictures of a gallery. Its zero value is ready.
type Scratch struct {
	set      embed.Set
	prepared match.Prepared
}
