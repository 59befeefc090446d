package texts

// Notice is what goes wrong, or well again, and the remedy.
type Notice struct {
	Dismiss     string
	StartCamera string                    // button
	Retry       string                    // button
	More        func(n int) string        `args:"n"` // the rest of a list
	Kept        func(examples int) string `args:"examples"`
	// Reasons say why something failed, with the remedy, by the error's code. Inside is for
	// all others: the program is wrong.
	Reasons map[string]string
	Inside  string
	Detail  string // opens the program's own words, which are English

	EngineFailed       string
	EngineCrashed      string
	EngineMemory       string
	EngineGone         string
	EngineGoneRemedy   string
	EngineRestarted    string
	EngineTrouble      string
	NoMemory           string
	NoMemoryRemedy     string
	CameraOff          string
	CameraOffRemedy    string
	NotPicture         func(name string) string  `args:"name"`
	UsePictures        string                    // what to test instead of a file that is no picture
	NotPictures        func(names string) string `args:"names"`
	OthersAdded        string
	OrFiles            string
	CameraDenied       string
	CameraDeniedRemedy string
	CameraMissing      string
	CameraMissingText  string
	CameraTaken        string
	CameraTakenRemedy  string
	CameraInsecure     string
	CameraInsecureText string
	CameraGone         string
	CameraGoneRemedy   string
	CameraFailed       string
	CameraFailedRemedy string
	CameraLateRemedy   string // the browser does not begin to show or hear
	Update             string // a newer version of the page
	UpdateText         string
	Reload             string // button
}

// Reason says why something failed, by the error's code.
func (n *Notice) Reason(code string) string {
	if reason, known := n.Reasons[code]; known {
		return reason
	}
	return n.Inside
}

// Project is where projects are kept, opened and handed out.
type Project struct {
	Menu          string                              // label of the button that opens the dialog
	Title         string                              // of the dialog
	Close         string                              // button
	Default       func(n int) string                  `args:"n"`                       // name of a new project
	Copy          func(original string, n int) string `args:"original n" keeps:"name"` // name of a copy
	NameLabel     string                              // label of the field
	Kept          string                              // heading of the list
	New           string                              // button
	Open          string                              // button: a file
	OpenTitle     string
	Save          string // button: as a file
	SaveTitle     string
	Share         string // button: as a page
	ShareTitle    string
	Send          string // button: hands the page to another app
	SendTitle     string
	SendNow       string // button on the notice that the page is ready
	PageReady     string // the notice
	PageReadyText string
	ShareNote     string                             // what a shared page holds, and its camera
	OpenOne       func(name string) string           `args:"name"` // label of a button in the list
	Duplicate     func(name string) string           `args:"name"` // label of the button
	Remove        func(name string) string           `args:"name"` // label of the button
	Current       string                             // beside the one that is open
	Damaged       string                             // beside one that cannot be opened
	Nameless      string                             // in place of the name of a damaged one
	Facts         func(classes, examples int) string `args:"classes examples"`
	Unsaved       string                             // states of saving
	Saving        string
	Saved         string
	SaveFailed    string
	Opening       func(done, all int) string  `args:"done all"`
	Writing       func(percent string) string `args:"percent"`
	Undo, Redo    string                      // buttons, where there is nothing to undo
	UndoStep      func(step string) string    `args:"step"` // and where there is something
	RedoStep      func(step string) string    `args:"step"`
	AddClass      string                      // the steps
	RenameClass   string
	RemoveClass   string
	AddExamples   string
	RemoveOne     string
	RemoveSome    string
	ClearClass    string
	EnableClass   string
	Rule          string                    // of what happens when something is seen
	Clear         func(class string) string `args:"class"` // label of the button that empties a class
	ClearTitle    string
	ShowAll       func(n int) string `args:"n"` // button under the first of many examples
	ShowFewer     string

	NotKept        string
	NotKeptRemedy  string
	NotSaved       string
	NotSavedRemedy string
	SaveAgain      string                   // button
	NotOpened      func(name string) string `args:"name"`
	NothingLost    string
	DamagedText    string                          // of a project that cannot be opened
	Lost           func(name string, n int) string `args:"name n"` // examples of a project
	LostText       string
	NotWritten     string
	Trouble        string
	Removed        func(name string) string `args:"name"`
	RemovedText    string
	Retrieve       string // button
	Elsewhere      string
	Full           string
	NoStore        string
	Gone           string
	OtherKind      string // a file of sounds on a page of pictures, or the other way round
}

// Share is the dialog that gives code to put a project into somebody's own page.
type Share struct {
	Open      string // button in the dialog of projects
	OpenTitle string
	Title     string // of the dialog
	Close     string // button

	Form        string // legend: what is pasted
	Frame       string // the whole page, in an iframe
	FrameNote   string
	Element     string // the classifier alone, an element
	ElementNote string

	Address func(file string) string `args:"file"` // label of the field: where the file will lie
	Program string                   // label of the field: where element.js lies

	Part       string                     // what is wrong with an address
	Other      func(ending string) string `args:"ending"` // the file's name has to end so
	Insecure   string
	Local      string
	OwnProgram string // that the program is the studio's, and how to have one's own
	Script     string // the program's address does not end in element.js

	Steps            string                            // heading
	Save             func(file string) string          `args:"file"` // a step, beside its button
	SaveNow          string                            // the button
	Upload           func(file, address string) string `args:"file address"` // a step
	Paste            string                            // a step, above the code
	Code             string                            // label of the code
	Copy             string                            // button
	Copied           string
	ByHand           string // where the browser lets no page copy: the code is selected
	Elsewhere        string // what the servers must permit when page and files have different addresses
	ElsewhereElement string
	Pictures         string // that the file holds the examples, which everybody can then see
}

// Bringing is what comes in from other programs, and goes out to them.
type Bringing struct {
	Save        string // button: the examples as a zip of folders
	SaveTitle   string
	Folder      string // button: folders of examples
	FolderTitle string
	Learning    func(done, all int) string         `args:"done all"`         // state: saved, and being embedded
	Brought     func(classes, examples int) string `args:"classes examples"` // notice
	LeftBehind  func(files int) string             `args:"files"`            // "" for none
	BadZip      string                             // reasons
	Poses       func(program string) string        `args:"program"`
	Sounds      func(program string) string        `args:"program"`
	NoExamples  string
}

// Network is the network that recognises things: the one that comes with the page, or one
// of the person's own. It stands in the settings, for experts.
type Network struct {
	Title string
	Comes func(name string) string            `args:"name"`           // the network that comes with the page
	Small func(name string) string            `args:"name"`           // the small one that does
	Own   func(name, megabytes string) string `args:"name megabytes"` // in use
	Kept  string                              // of that network
	Until string                              // while it is not kept: until when it is used
	Note  string
	Choose,
	Remove string // buttons
	UseSmall,
	UseUsual string // buttons for the networks that come with the page
	TwoNote string // what they differ in

	Reading   func(file, percent string) string `args:"file percent"`
	Measuring func(file, percent string) string `args:"file percent"`
	Cancel    string                            // button
	Question  func(name string) string          `args:"name"` // heading of the figures
	Yours     string                            // headings of columns
	Present   string
	Figure    string // heading of the rows, for those who do not see the table
	Answers   string // headings of rows
	Size      string
	Parts     string
	Kind      string                        // the architecture
	Megabytes func(n string) string         `args:"n"`
	Nodes     func(n, pixels int) string    `args:"n pixels"`
	Costs     func(megabytes string) string `args:"megabytes"` // what using it means
	Use       string                        // button
	Changing  func(done, all int) string    `args:"done all"`
	Keeping   func(percent string) string   `args:"percent"`
	NotUsed   func(file string) string      `args:"file"` // heading of why
	Stays     string                        // that nothing has changed
	Close     string                        // button
	Share     func(megabytes string) string `args:"megabytes"` // in the dialog of projects
	Upload    func(address string) string   `args:"address"`   // in the dialog that gives code to embed

	Cut, Unreadable, Damaged, Full string // why something failed

	// Notices.
	Unused       string
	UnusedRemedy string
	NotKept      func(name string) string `args:"name"`
	NotKeptText  string
	NotRemoved   string
	Other        func(made string) string      `args:"made"` // a project was taught with another network
	OtherText    func(made, now string) string `args:"made now"`
	OtherOffer   func(made, now string) string `args:"made now"` // where the page has that network, too

	// The small network has taken over on a slow device; in answers a second.
	Slow            string
	SlowBefore      func(before string) string      `args:"before"`
	SlowNow         func(now, before string) string `args:"now before"`
	SlowText        string
	SlowProject     func(n string) string    `args:"n"` // the device is slow, and the project is of another network
	SlowProjectText func(made string) string `args:"made"`
}
