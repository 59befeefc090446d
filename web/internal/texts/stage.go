package texts

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
