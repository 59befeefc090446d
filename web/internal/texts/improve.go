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

	AllWell  string // when there is nothing to warn of
	Few      func(c string, n int) string
	Dark     func(n int) string
	Bright   func(n int) string
	Blurred  func(n int) string
	Twins    func(n int) string
	TwinsTip string                // title of that warning
	Hurting  func(n int) string    // examples that are mixed up, and without which the others fit better
	Remove   func(n int) string    // button: all of them
	RemoveIt func(c string) string // label of a button on a picture
	Look     string                // button
	Done     string                // ends looking

	ConfusionNote func(right, all int) string
	TooFewToTell  string
	Row, Column   string
	Cell          func(n int, row, column string) string
	Taken         func(row, column string) string // heading of what a cell opens

	LookFor    string // box to tick
	LookForTip string
	Strictness string // label of the slider
	Lenient    string // its ends
	Strict     string
	Rates      func(accepted, rejected string, strangers, known int) string
	Measured   func(accepted, rejected string) string // where there are no examples to leave out
	Histogram  string                                 // label of the drawing
	Own        string                                 // legend
	Others     string
	Unknown    string // what a stranger is called
	UnknownTip string
	NothingTip string // what looks like examples of nothing

	// What examples of nothing are good for.
	NothingHint string
	NothingShow string // button: to their card
	NothingSays func(n int) string

	TestNote      string
	ChooseFolder  string // buttons
	ChooseZip     string
	Testing       func(done, all int) string
	Stop          string
	CloseTest     string
	TestOld       string                   // when the outcome is not about the classifier of now
	TestAgain     string                   // button: the same files once more
	TestAnother   string                   // above the buttons, after a test
	PlayIt        func(name string) string // label of the button: a file of a sound
	Accuracy      func(percent string, right, all int) string
	Strangers     func(folders string) string
	Broken        func(n int) string
	WrongTitle    func(n int) string
	WrongOne      func(class, taken string) string
	NothingToTest string // notice
	NoFolders     string
	NoMatch       string
	BadZip        func(name string) string

	LearnNote string
	Train     string // button
	Training  func(percent string) string
	Gain      func(before, after, of int) string
	NoGain    func(of int) string
	Learned   string
	NotProto  string

	Enable  func(c string) string // label of the button on a card
	Disable func(c string) string
	Off     string // on the card of a disabled class
}

// Setup is how pictures are recognised, in the dialog of settings.
type Setup struct {
	Title        string
	Fast         string
	FastNote     string
	Balanced     string
	BalancedNote string // with what it is worth: RESULTS.md, "More views and nodes"
	Own          string // a setup of the person's own
	OwnNote      string
	Rate         func(perSecond string) string // as measured
	NoRate       string
	Expert       string // opens the rest
	Embedder     string // labels
	Positions    string // choices
	Pyramid      string
	Grid         func(passes int) string // both say that they need a network of their own
	Crops        func(n int) string
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
	Weights      string
	WeightsNote  string
	OwnWeights   string // button
	PageWeights  string // button
	Memory       func(megabytes string) string
	Changing     func(done, all int) string
	Stop         string
	Refused      string // notice
}

// Why is the part of the page that shows which part of a picture matches which part of
// an example: live, and in the dialog of a closer look.
type Why struct {
	Title    string                // while there is no answer
	TitleOf  func(c string) string // of the class that a picture was taken for
	TitleNot func(c string) string // of another class
	Alike    func(percent string) string
	Show     string // label of the button
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
	PartOfPicture, PartOfExample func(counts string, n int, shares string) string

	// What speaks for a class rather than for another: the match, and what was learned
	// from all examples together.
	ByMatch, ByHead         string // labels of two bars
	LeadByBoth              func(class, rival, match, head string) string
	LeadByMatch, LeadByHead func(class, rival string) string // while the other speaks for the rival
	LeadTied                func(class, rival string) string

	Close        string
	Compare      string // label of the list of classes
	ExampleOf    func(c string) string
	PictureBuilt string // under the picture built of the example's parts
	ExampleBuilt string
	BuiltNote    string
	Table        string // label of the table of pairs
	TableNote    string
	PairLabel    string
	Pair         func(percentOfAll, alike string) string
	PairApart    func(alike string) string
}
