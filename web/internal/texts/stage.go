package texts

// Stage is the small buttons under what the camera shows, and what they open.
type Stage struct {
	Tools string // label of the row of small buttons

	Frame     string // button: choose what of the picture the network sees
	FrameHelp string // what fingers, mouse and keys do there
	Zoom      string // label of the slider
	Times     func(number string) string
	Mirror    string // switch
	Whole     string // button: back to the central square
	Done      string // button
}
