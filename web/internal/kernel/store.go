package kernel

import (
	"time"

	"github.com/deepemd/deepemd/core/project"
	"github.com/deepemd/deepemd/internal/foreign"
)

// Store keeps projects on the device, and carries them to files and back. The
// pictures and embeddings of examples stay with it and the Engine, which share
// them by the examples' ids. Its calls block; their errors are of type *Error, with
// one of the codes for projects.
//
// A project is opened in two steps: Open, ReadFile or Begin gets it ready beside
// the one that is open, and Accept puts it in that one's place.
type Store interface {
	// Projects lists the projects that are kept, the one used last first.
	Projects() ([]ProjectInfo, error)

	// Open takes hold of a project, so that no other tab does.
	Open(id string) (Document, error)
	// ReadFile opens a project file and checks all of it.
	ReadFile(file File, progress func(done, all int)) (Document, error)
	// Begin readies a project without examples.
	Begin()
	// Unpack lists what lies in an archive: a zip, or a file that is one. It reads the
	// list alone. The error of a file that is none has CodeBadZip.
	Unpack(file File) ([]Entry, error)
	// Text reads a small file, such as the description of a project.
	Text(source Source) ([]byte, error)
	// Take takes files in as the contents of examples that no engine has seen: of a
	// project that is made ready, or of the one that is open.
	Take(examples []Taken, fresh bool, progress func(done, all int)) error
	// Accept makes what is ready the project that is open, under the given id, with
	// its examples for Engine.RestoreExamples. When nothing is ready it names what
	// was taught so far.
	Accept(id string)

	// Save keeps the project that is open, with its examples: all or nothing.
	Save(doc Document) error
	// Forget lets go of examples of the project that is open, which were deleted and
	// cannot come back. It does not block, and calls nothing of the kernel.
	Forget(ids []string)
	// Duplicate keeps a copy of a project under another id and name.
	Duplicate(id, newID, name string) error
	// Remove puts a project away; Retrieve brings it back, until some time after
	// the page is left.
	Remove(id string) error
	Retrieve(id string) error

	// WriteFile hands the person the project that is open as a file of the given
	// form.
	WriteFile(doc Document, form Form, progress func(done, all int)) error
	// Send opens the system's share sheet with the page that WriteFile made for it, when
	// that was an error of CodeWaiting. It is called soon after a click.
	Send() error
}

// Taken is a file that becomes an example.
type Taken struct {
	ID   string // of the example
	File File
}

// Form is a form of file that a project is handed out in.
type Form int

// The forms of files.
const (
	FormProject Form = iota // *.deepemd
	FormPage                // one HTML file that runs by itself
	FormSent                // the same, for the system's share sheet
	FormFolders             // *.zip: the examples alone, in a folder for each class
)

// Codes of errors of the store.
const (
	CodeBadProject   = "bad-project"   // a file that is none, or is damaged
	CodeNewerProject = "newer-project" // a file of a newer version
	CodeElsewhere    = "elsewhere"     // the project is open in another tab
	CodeFull         = "full"          // the device has no room
	CodeNoStore      = "no-store"      // the browser keeps nothing for this page
	CodeOtherKind    = "other-kind"    // a file of sounds for a page of pictures, or the other way round
	CodeGone         = "gone"          // there is no such project any more
	CodeWaiting      = "waiting"       // a page is ready, and the browser wants a click before it hands it over
	CodeBadZip       = "bad-zip"       // a file that should be an archive, and is none
	CodePoses        = "poses"         // a project of poses, of the program that Message names
	CodeSounds       = "sounds"        // the same of sounds
	CodeNoExamples   = "no-examples"   // files among which there are none
)

// ProjectInfo is a project in the list of those that are kept.
type ProjectInfo struct {
	ID, Name string
	Kind     string // project.KindImage or project.KindSound
	Classes  int
	Examples int
	Saved    time.Time
	Damaged  bool // it cannot be opened; of what it is, at most the name is known
}

// Document is a project without its pictures.
type Document struct {
	ID string
	project.Manifest
	// Unseen are the ids of examples whose files no engine has seen yet.
	Unseen []string
	// Made is the network that a file was taught with; nil where that is not known.
	Made *Made
	// Lost is how many examples are left out, as what was kept of them is damaged.
	Lost int
}

// Made is a network that a project was taught with.
type Made struct {
	Name        string
	Fingerprint string // of its file: its SHA-256, hexadecimal; "" where that is not known
}

// Folders are names for folders of the classes' examples, which file systems take.
func (d *Document) Folders() []string {
	labels := make([]string, len(d.Classes))
	for i, c := range d.Classes {
		labels[i] = c.Label
	}
	return foreign.FolderNames(labels)
}

// Codes of errors of effects.
const (
	CodeNoVoice   = "no-voice"   // no voice of the language on this device
	CodeNoDevice  = "no-device"  // the device cannot be opened, or is gone
	CodeTooLarge  = "too-large"  // a file for a sound or a picture
	CodeBadMedium = "bad-medium" // a file that is neither
)

// endings are those of the names of files.
var endings = map[Form]string{FormProject: ".deepemd", FormPage: ".html", FormSent: ".html", FormFolders: ".zip"}

// Ending is what the names of files of a form end in.
func (f Form) Ending() string { return endings[f] }

// FileName is the name under which a project is saved as a file of a form: its own,
// without what file systems do not take.
func FileName(project string, form Form) string { return FileNamed(project, form.Ending()) }

// FileNamed is the name of a file of a project, without what systems refuse.
func FileNamed(name, ending string) string { return foreign.FileName(name, "project") + ending }
