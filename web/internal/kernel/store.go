package kernel

import (
	"time"

	"github.com/deepemd/deepemd/core/project"
	"github.com/deepemd/deepemd/internal/foreign"
)

// Store saves projects on the device, and reads and writes files. It shares the images and
// embeddings of examples with the Engine; both use the examples' ids. Its calls block; their errors
// are of type *Error with a code for projects.
//
// A project is opened in two steps: Open, ReadFile or Begin prepares it next to the open project,
// and Accept replaces that.
type Store interface {
	// Projects lists the saved projects, the latest first.
	Projects() ([]ProjectInfo, error)

	// Open locks a project for this tab and prepares it.
	Open(id string) (Document, error)
	// ReadFile checks a project file completely and prepares it.
	ReadFile(file File, progress func(done, all int)) (Document, error)
	// Begin prepares a project without examples.
	Begin()
	// Unpack lists the files of a zip archive, without reading their contents. It returns an
	// error of CodeBadZip for other files.
	Unpack(file File) ([]File, error)
	// Text reads a small file, such as a project's description.
	Text(source Source) ([]byte, error)
	// Take stores files as the contents of new examples, which no engine has embedded: with fresh,
	// of the prepared project, otherwise of the open one. It returns an error of CodeStopped once
	// progress returns false.
	Take(examples []Taken, fresh bool, progress func(done, all int) bool) error
	// Accept opens the prepared project under the given id, with its examples for
	// Engine.RestoreExamples. If none is prepared, it gives the examples so far that id.
	Accept(id string)

	// Save saves the open project with its examples, all or nothing.
	Save(doc Document) error
	// Forget frees removed examples of the open project, which undo cannot restore. It does not
	// block or call the kernel.
	Forget(ids []string)
	// Duplicate copies a project, with another id and name.
	Duplicate(id, newID, name string) error
	// Remove removes a project. If it is kept, Retrieve restores it, until some time after the page
	// is closed. A full disk does not keep it.
	Remove(id string) (kept bool, err error)
	Retrieve(id string) error

	// WriteFile writes the open project to a file for the user.
	WriteFile(doc Document, form Form, progress func(done, all int)) error
	// Send opens the share sheet with the page for which WriteFile has returned an error of
	// CodeWaiting. It is called soon after a click.
	Send() error
}

// Taken is a file that becomes an example.
type Taken struct {
	ID   string // of the example
	File File
}

// Form is a format of project files.
type Form string

// The formats of files.
const (
	FormProject Form = "project" // *.deepemd
	FormPage    Form = "page"    // a self-contained HTML file
	FormSent    Form = "sent"    // the same, for the system's share sheet
	FormFolders Form = "folders" // *.zip: the examples, in one folder per class
)

// Codes of errors of the store.
const (
	CodeBadProject = "bad-project" // a file that is not a project, or is damaged
	CodeElsewhere  = "elsewhere"   // the project is open in another tab
	CodeFull       = "full"        // no space left
	CodeNoStore    = "no-store"    // the browser has no store for this page
	CodeOtherKind  = "other-kind"  // a project of sounds on a page of images, or vice versa
	CodeGone       = "gone"        // the project does not exist any more
	CodeWaiting    = "waiting"     // a page is ready; the browser requires a click to share it
	CodeBadZip     = "bad-zip"     // not a zip archive
	CodePoses      = "poses"       // a project of poses; the message is the program's name
	CodeSounds     = "sounds"      // likewise of sounds
	CodeNoExamples = "no-examples" // no examples among the files
	CodeUnreadable = "unreadable"  // a file that was moved or changed, or that the browser may not read
	CodeTooMany    = "too-many"    // more files than the page reads at once
)

// ProjectInfo describes a saved project.
type ProjectInfo struct {
	ID, Name string
	Kind     string // project.KindImage or project.KindSound
	Classes  int
	Examples int
	Saved    time.Time
	Damaged  bool // it cannot be opened; only the name may be known
}

// Document is a project without its images.
type Document struct {
	ID string
	project.Manifest
	// Unseen are the ids of examples that no engine has embedded.
	Unseen []string
	// Past are the latest steps, which can be undone.
	Past []Past
	// Made is the network that trained the project; nil if unknown.
	Made *Made
	// Lost is the number of damaged examples, which are omitted.
	Lost int
}

// Info describes the document when it is saved. Background classes do not count as classes.
func (d *Document) Info() ProjectInfo {
	info := ProjectInfo{ID: d.ID, Name: d.Name, Kind: d.Kind, Examples: d.Examples(), Saved: d.Saved}
	for _, c := range d.Classes {
		if !c.Nothing {
			info.Classes++
		}
	}
	return info
}

// Made is the network that trained a project.
type Made struct {
	Name        string
	Fingerprint string `json:"sha256"` // hexadecimal SHA-256 of its file; "" if unknown
	Supplied    string // its name among the page's networks; "" if the page lacks it
}

// Folders returns valid folder names for the classes.
func (d *Document) Folders() []string {
	labels := make([]string, len(d.Classes))
	for i, c := range d.Classes {
		labels[i] = c.Label
	}
	return foreign.FolderNames(labels)
}

// Codes of errors of actions.
const (
	CodeNoVoice   = "no-voice"   // no voice of the language on this device
	CodeNoDevice  = "no-device"  // the device cannot be opened, or is unplugged
	CodeTooLarge  = "too-large"  // of a sound or picture
	CodeBadMedium = "bad-medium" // neither a sound nor a picture
)

var endings = map[Form]string{FormProject: ".deepemd", FormPage: ".html", FormSent: ".html", FormFolders: ".zip"}

// Ending returns the file name extension of a format.
func (f Form) Ending() string { return endings[f] }

// FileName returns the file name of a project in a format, without characters that file systems
// reject.
func FileName(project string, form Form) string { return FileNamed(project, form.Ending()) }

// FileNamed returns a file name without characters that file systems reject.
func FileNamed(name, ending string) string { return foreign.FileName(name, "project") + ending }
