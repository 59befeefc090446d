package actions

import (
	"github.com/deepemd/deepemd/core/project"
	"github.com/deepemd/deepemd/web/internal/kernel"
)

// Effects are the abilities of a browser.
type Effects interface {
	// Abilities reports which of the optional ones this browser has.
	Abilities() Abilities
	// Perform starts the effects without waiting for them, and calls over once none of them is
	// audible. Errors go to Actions.Failed.
	Perform(deed Deed, over func())
	// Greet tells the embedding page the classes that messages may name.
	Greet(classes []kernel.Class)
	// AddMedium stores a sound or picture with the open project, and returns its id. It blocks.
	AddMedium(file kernel.File, medium Medium) (id string, err error)
	// Connect lets the user choose a serial device, and opens it at a speed in bits per second. It
	// blocks, and only works after a click. It returns an error of CodeAborted if no device was
	// chosen.
	Connect(baud int) error
	// Disconnect closes the device.
	Disconnect()
	// SaveTable saves a CSV table as a file.
	SaveTable(text, name string)
}

// Medium is the kind of a user's file.
type Medium string

// The media, as in effects.js.
const (
	PictureMedium Medium = "picture"
	SoundMedium   Medium = "sound"
)

// Abilities are optional abilities of browsers.
type Abilities struct {
	Framed bool // there is an embedding page
	Serial bool // serial devices can be connected
}

// Deed holds the effects of one event.
type Deed struct {
	project.Rule        // with a Line; Counted is 0 if nothing is counted
	Label        string // name of the subject
	Language     string // BCP 47
}

// Tones are the names of the page's sounds.
var Tones = []string{"bell", "rise", "fall", "drum", "buzz", "fanfare"}
