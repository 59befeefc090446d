package texts

// Improve is the part of the page that helps to make the classifier better: what the
// examples tell about themselves, what is unknown, tests, learning.
type Improve struct {
	Title        string
	Show, Hide   string // labels of the button
	Waiting      string // while there is nothing to look at
	Busy         string
	Checks       string // headings
	Confusion    string
	UnknownTitle string
	Test         string
	Learn        string

	AllWell  string                           // when there is nothing to warn of
	Few      func(class string, n int) string `args:"class n"`
	Dark     func(n int) string               `args:"n"`
	Bright   func(n int) string               `args:"n"`
	Blurred  func(n int) string               `args:"n"`
	Twins    func(n int) string               `args:"n"`
	TwinsTip string                           // title of that warning
	Hurting  func(n int) string               `args:"n"`     // examples that are mixed up, and without which the others fit better
	Unjudged func(n int) string               `args:"n"`     // examples that are mixed up, of classes too small to say whether they harm the others
	Remove   func(n int) string               `args:"n"`     // button: all of them
	RemoveIt func(class string) string        `args:"class"` // label of a button on a picture
	Look     string                           // button
	Done     string                           // ends looking

	ConfusionNote func(right, all int) string `args:"right all"`
	TooFewToTell  string
	Row, Column   string
	Cell          func(n int, row, column string) string `args:"n row column"`
	Taken         func(row, column string) string        `args:"row column"` // heading of what a cell opens

	LookFor    string // box to tick
	LookForTip string
	Strictness string // label of the slider
	Lenient    string // its ends
	Strict     string
	Rates      func(accepted, rejected string, strangers, known int) string `args:"accepted rejected strangers known"`
	Measured   func(accepted, rejected string) string                       `args:"accepted rejected"` // where there are no examples to leave out
	Histogram  string                                                       // label of the drawing
	Own        string                                                       // legend
	Others     string
	Unknown    string // what a stranger is called
	UnknownTip string
	NothingTip string // what looks like examples of nothing

	// What examples of nothing are good for.
	NothingHint string
	NothingShow string             // button: to their card
	NothingSays func(n int) string `args:"n"`

	TestNote      string
	ChooseFolder  string // buttons
	ChooseZip     string
	Testing       func(done, all int) string `args:"done all"`
	Stop          string
	CloseTest     string
	TestOld       string                                      // when the outcome is not about the classifier of now
	TestAgain     string                                      // button: the same files once more
	TestAnother   string                                      // above the buttons, after a test
	PlayIt        func(name string) string                    `args:"name"` // label of the button: a file of a sound
	Accuracy      func(percent string, right, all int) string `args:"percent right all"`
	Strangers     func(folders string) string                 `args:"folders"`
	Broken        func(n int) string                          `args:"n"`
	WrongTitle    func(n int) string                          `args:"n"`
	WrongOne      func(class, taken string) string            `args:"class taken"`
	NothingToTest string                                      // notice
	NoFolders     string
	NoMatch       string
	BadZip        func(name string) string `args:"name"`

	LearnNote string
	Train     string                             // button
	Training  func(percent string) string        `args:"percent"`
	Gain      func(before, after, of int) string `args:"before after of"`
	NoGain    func(of int) string                `args:"of"`
	Learned   string
	NotProto  string
	LearnTwo  string // while one class alone has examples

	Enable  func(class string) string `args:"class"` // label of the button on a card
	Disable func(class string) string `args:"class"`
	Off     string                    // on the card of a disabled class
}

// Setup is how pictures are recognised, in the dialog of settings.
type Setup struct {
	Title        string
	Fast         string
	FastNote     string
	Balanced     string
	BalancedNote string // with what it is worth: docs/results/accuracy.md
	Own          string // a setup of the person's own
	OwnNote      string
	Rate         func(perSecond string) string `args:"perSecond"` // as measured
	NoRate       string
	Expert       string // opens the rest
	Embedder     string // labels
	Positions    string // choices
	Pyramid      string
	Grid         func(passes int) string `args:"passes"` // both say that they need a network of their own
	Crops        func(n int) string      `args:"n"`
	Classifier   string
	Mixture      string
	Prototype    string
	Nearest      string
	Fusion       string
	Merge        string
	Cosine       string
	Weighting    string
	Cross        string
	Equal        string
	Solver       string
	Exact        string
	Dense        string
	Temperature  string
	Memory       func(megabytes string) string `args:"megabytes"`
	Changing     func(done, all int) string    `args:"done all"`
	Stop         string
	Refused      string // notice
}

// Why is the part of the page that shows which part of a picture matches which part of
// an example: live, and in the dialog of a closer look.
type Why struct {
	Title    string                      // while there is no answer
	TitleOf  func(class string) string   `args:"class"` // of the class that a picture was taken for
	TitleNot func(class string) string   `args:"class"` // of another class
	Alike    func(percent string) string `args:"percent"`
	Show     string                      // label of the button
	Hide     string
	Heat     string // box to tick
	HeatTitle,
	Closer string // button
	Waiting string // while nothing was taught
	Nothing string // while nothing is shown that could be explained
	Canvas  string // label of the drawing
	Legend  string
	Picture string // under the picture
	Example string // under the example

	// What a part does: how much of the whole it counts, and the shares of that
	// which go to so many others.
	PartOfPicture, PartOfExample func(counts string, n int, shares string) string `args:"counts n shares"`

	// What speaks for a class rather than for another: the match, and what was learned
	// from all examples together.
	ByMatch, ByHead         string                                        // labels of two bars
	LeadByBoth              func(class, rival, match, head string) string `args:"class rival match head"`
	LeadByMatch, LeadByHead func(class, rival string) string              `args:"class rival"` // while the other speaks for the rival
	LeadTied                func(class, rival string) string              `args:"class rival"`

	Close        string
	Compare      string                    // label of the list of classes
	ExampleOf    func(class string) string `args:"class"`
	PictureBuilt string                    // under the picture built of the example's parts
	ExampleBuilt string
	BuiltNote    string
	Table        string // label of the table of pairs
	TableNote    string
	PairLabel    string
	Pair         func(percentOfAll, alike string) string `args:"percentOfAll alike"`
	PairApart    func(alike string) string               `args:"alike"`
}

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
