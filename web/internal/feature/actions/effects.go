package actions

import "github.com/deepemd/deepemd/web/internal/kernel"

// Effects are what a browser can do when something is seen.
type Effects interface {
	// Abilities says which of them this browser has.
	Abilities() Abilities
	// Perform begins what is to happen, and waits for none of it. It calls over once
	// none of it is heard any more. What fails is reported by Then.Failed.
	Perform(deed Deed, over func())
	// Greet tells the page around this one what it can hear of: a list of classes.
	Greet(classes []kernel.Class)
	// AddMedium keeps a sound or a picture with the project that is open, and returns
	// its id. It blocks.
	AddMedium(file kernel.File, medium Medium) (id string, err error)
	// Connect has the person choose a serial device, and opens it at a number of bits a
	// second. It blocks, and works after a click only. Nothing chosen is an error of
	// CodeAborted.
	Connect(baud int) error
	// Disconnect lets the device go.
	Disconnect()
	// SaveText hands the person a text as a file.
	SaveText(text, name string)
}

// Medium is what a file of the person's is for.
type Medium int

// The media.
const (
	PictureMedium Medium = iota
	SoundMedium
)

// Abilities are what some browsers and places have and others lack.
type Abilities struct {
	Framed bool // there is a page around this one
	Serial bool // devices can be connected
}

// Deed is what happens at once.
type Deed struct {
	Subject  Subject
	Label    string // what the subject is called
	Language string // BCP 47
	Say      bool
	Sound    string // the name of a tone or the id of a medium, "" for none
	Send     bool
	Counted  int // how often so far, for Send; 0 where nobody counts
	Serial   bool
	Line     string // for Serial, without its end
}

// Tones are the names of the sounds that come with the page.
var Tones = []string{"bell", "rise", "fall", "drum", "buzz", "fanfare"}
