package texts

// Answer is the list of classes with their probabilities.
type Answer struct {
	Bars       string                        // label of the list of probabilities
	TeachFirst string                        // what to do while nothing was taught
	TeachMore  string                        // while one class was
	Rate       func(perSecond string) string `args:"perSecond"`
}

// Boot is what the page says where its program does not run. The page holds it without the
// program: see web/site.
type Boot struct {
	TooOld, TooOldText       string // the browser
	Stopped, StoppedText     string // the program, for good
	NotLoaded, NotLoadedText string
	Again                    string // button: loads the page again
}

// Camera is the stage: video, picture and the buttons under them.
type Camera struct {
	Start, Stop string
	Choose      string // label of the list of cameras
	Turn        string // button: the camera that looks the other way
	TestPicture string // button
	Invitation  string // while there is nothing to show
	Waiting     string // for the person's leave
	Sees        string // label of the video
	Picture     string // label of the picture
	Section     string // label of the part of the page
}

// Class is a class's card.
type Class struct {
	Section     string                    // label of the part of the page
	Add         string                    // button
	Default     func(n int) string        `args:"n"` // name of a new class
	NameLabel   string                    // label of the field
	Delete      func(class string) string `args:"class"` // label of the button
	DeleteTitle string
	Hold        string // button
	HoldTitle   string
	AddPictures string // button
	AddTitle    string
	AddTo       func(class string) string        `args:"class"` // label of the button
	None        string                           // while there are no examples
	Drop        string                           // and how to add some
	Examples    func(class string) string        `args:"class"`     // label of the list
	Count       func(n, waiting int) string      `args:"n waiting"` // how many there are, and how many are on their way
	Deleted     func(class string, n int) string `args:"class n"`   // what happened; n: of its examples
	Emptied     func(class string, n int) string `args:"class n"`
	Nothing     string                           // name of the card for what is none of the classes
	NothingNone string                           // on it, while there are no examples
	Thumbnail   func(class string) string        `args:"class"` // label of the button that deletes one
	ThumbTitle  string
}

// Engine is the line that says how far the classifier is.
type Engine struct {
	Loading    func(percent string) string `args:"percent"`
	LoadingBar string
	Restarting string
	Failed     string
	Ready      string
	Facts      func(network string, pixels int, kernels string) string `args:"network pixels kernels"` // for experts
	Took       func(whole, network, match string) string               `args:"whole network match"`    // milliseconds, for experts
}

// Guide is what newcomers are told, and the pictures that come with the page.
type Guide struct {
	Label            string             // of the part of the page
	Show, Hold, Read string             // the three steps
	Demo             string             // button: try it with pictures that are there
	Done             string             // button: puts the guide away
	Tries            string             // what the pictures are for
	Try              func(n int) string `args:"n"`
	Failed           string             // the pictures did not arrive
	Things           map[string]string  // what they show, by the names of the demo's collection
}

// List is how the language joins two things, or two ends of a list, to one.
type List struct {
	Two  func(a, b string) string `args:"a b"` // a list of two
	More func(a, b string) string `args:"a b"` // a longer one, up to the last but one
	Last func(a, b string) string `args:"a b"` // and with the last
}

// Number is how the language writes numbers.
type Number struct {
	Percent func(whole string) string `args:"whole"`
	Point   string                    // between whole and decimals
}

// Page is what frames the rest.
type Page struct {
	Slogan  string // under the project's name
	Private string // at the foot
	// Links at the foot.
	Documentation, Examples, Licences string
	SkipLink                          string // to the classes, for keyboards
}

// Settings is the dialog of choices about the page.
type Settings struct {
	Open     string // label of the button
	Title    string
	Close    string
	Language string
	Theme    string
	System   string // theme: what the device prefers
	Light    string
	Dark     string

	Device         string // the page as a program on the device
	NeedsNetwork   string
	WithoutNetwork string
	Install        string // button
}

// Sound is what a page of sounds has beside; the rest of it says other words in the place
// of those for pictures: sounds.go.
type Sound struct {
	Kind           string // label of the switch between pictures and sounds
	Pictures       string
	Sounds         string
	Threshold      string // label of the slider on the level meter
	ThresholdTitle string
	Play           func(class string) string `args:"class"` // label of an example
}

// Privacy is the dialog that shows what leaves the device.
type Privacy struct {
	Title     string // also of the button that opens it
	Close     string
	Nothing   string                      // has left the device
	Empty     string                      // the list
	This      string                      // has left the device: over the list
	Elsewhere func(address string) string `args:"address"` // a request
	Stopped   func(address string) string `args:"address"` // a request that the browser stopped
	Messages  func(n int) string          `args:"n"`       // to the page around the studio
	Lines     func(n int) string          `args:"n"`       // to a serial device
	Stays     string
	Loaded    func(n int, host string) string `args:"n host"`
	Guarded   string
}

// Stage is the small buttons under what the camera shows, and what they open.
type Stage struct {
	Tools string // label of the row of small buttons

	Frame     string                     // button: choose what of the picture the network sees
	FrameHelp string                     // what fingers, mouse and keys do there
	Zoom      string                     // label of the slider
	Times     func(number string) string `args:"number"`
	Mirror    string                     // switch
	Whole     string                     // button: back to the central square
	Done      string                     // button

	Recording     string // button, and title of the dialog
	How           string // of the next two
	ByHolding     string
	HandsFree     string
	HandsFreeHelp string
	PerSecond     string // label of the choice of rates
	Countdown     string
	NoCountdown   string
	Duration      string
	Seconds       func(n int) string `args:"n"` // short
	Beep          string             // switch
	Close         string
	Record        string // the button of a class, hands-free
	RecordTitle   string
	StopRecording string
	BeginsIn      func(class string, seconds int) string `args:"class seconds"` // read out
	Records       func(class string) string              `args:"class"`         // read out, and shown with the seconds that are left
	Recorded      func(class string, n int) string       `args:"class n"`

	Where      string // switch: where in the picture the evidence lies
	WhereTitle string

	Empty      string // button: take examples of the empty scene
	EmptyTitle string
}
