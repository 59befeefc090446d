package texts

// Growth is what the page says of how recognition grew with the examples. Numbers are of
// a hundred.
type Growth struct {
	Title      string
	Show, Hide string // the fold
	Note       string // what it is
	TooFew     string
	Busy       func(percent string) string `args:"percent"`
	Says       func(first, all int) string `args:"first all"` // by one example of each, and by all
	Chart      string                      // of the drawing and the table
	Examples   string                      // what the numbers along the drawing count, and head the table
	AllOf      string                      // the last column: by all examples
	Every      string                      // the first row: of all classes
	Alone      string                      // where nothing can be left out

	// What follows for the person.
	Helps func(class string, half, all int) string `args:"class half all"`
	Flat  func(class string, all int) string       `args:"class all"`
	Well  string
}
