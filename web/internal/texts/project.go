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
