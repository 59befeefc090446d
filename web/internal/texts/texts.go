// Package texts holds every word that the studio says, once in each language:
// en.go and de.go. Code names a text, never spells it.
//
// # Adding a text
//
//  1. Add a field to the section of your part of the page in this file, or a
//     section of its own, in alphabetical order: a string, or a function when the
//     text holds a name or a number. Say in a comment where it is seen when its
//     name does not.
//  2. Give it a value in en.go and in de.go, in the same place. Counted things
//     go through counted, which knows singular and plural.
//  3. Use it: texts.Current().Part.Field in Render.
//
// go test ./web/internal/texts names what a language lacks, and functions that drop
// what they are given.
//
// A component that watches the session is drawn anew when the language changes.
// One that does not watch must have a field `Texts *texts.Texts`, set by whoever
// renders it, so that go-app sees the change.
//
// # Adding a language
//
// Copy en.go, translate it, and name its variable in Languages.
package texts

import (
	"strings"
	"sync/atomic"
)

// Texts is all that the studio says in one language.
type Texts struct {
	Code string // BCP 47, such as "en"
	Name string // in the language itself

	Answer   Answer
	Camera   Camera
	Class    Class
	Engine   Engine
	Guide    Guide
	Improve  Improve
	Notice   Notice
	Number   Number
	Page     Page
	Project  Project
	Settings Settings
	Sound    Sound
	Setup    Setup
	Why      Why
}

// Answer is what the page says about what is shown.
type Answer struct {
	Bars       string // label of the list of probabilities
	TeachFirst string // what to do while nothing was taught
	TeachMore  string // while one class was
	Speed      func(millis string) string
	Rate       func(perSecond string) string
	Parts      func(networkMillis, matchMillis string) string
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
	Section     string                // label of the part of the page
	Add         string                // button
	Default     func(n int) string    // name of a new class
	NameLabel   string                // label of the field
	Delete      func(c string) string // label of the button
	DeleteTitle string
	Hold        string // button
	HoldTitle   string
	AddPictures string // button
	AddTitle    string
	AddTo       func(c string) string // label of the button
	None        string                // while there are no examples
	Drop        string                // and how to add some
	Examples    func(c string) string // label of the list
	Question    string                // label of the question whether to delete
	Sure        func(c string, n int) string
	Yes, No     string                // answers
	Thumbnail   func(c string) string // label of the button that deletes one
	ThumbTitle  string
}

// Engine is the line that says how far the classifier is.
type Engine struct {
	Loading    func(percent string) string
	LoadingBar string
	Restarting string
	Failed     string
	Ready      func(network string, pixels int, kernels string) string
}

// Guide is what newcomers are told, and the pictures that come with the page.
type Guide struct {
	Label                   string // of the part of the page
	Show, Hold, Read        string // the three steps
	Demo                    string // button: try it with pictures that are there
	Done                    string // button: puts the guide away
	Tries                   string // what the pictures are for
	Try                     func(n int) string
	Failed                  string // the pictures did not arrive
	Cat, Cup, Gravel, Grass string // what they show
}

// Improve is what helps to make the classifier better: what the examples say about
// themselves, what is unknown, tests, learning.
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
	TwinsTip string // title of that warning
	Worst    func(c string) string
	Remove   string                // button
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

	TestNote      string
	ChooseFolder  string // buttons
	ChooseZip     string
	Testing       func(done, all int) string
	Stop          string
	CloseTest     string
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

// Notice is what goes wrong, or well again, and the remedy.
type Notice struct {
	Dismiss     string
	StartCamera string // button
	Retry       string // button
	List        func(names []string) string
	More        func(n int) string // the rest of a list
	Kept        func(examples int) string
	// Reason says why, from an error's code and its message, which is English
	// and already holds the remedy.
	Reason func(code, message string) string

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
	NotPicture         func(name string) string
	NotPictures        func(names string) string
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
	Update             string // a newer version of the page
	UpdateText         string
	Reload             string // button
}

// Number is how the language writes numbers.
type Number struct {
	Percent func(whole string) string
	Point   string // between whole and decimals
}

// Page is what frames the rest.
type Page struct {
	Slogan   string // under the project's name
	Private  string // at the foot
	SkipLink string // to the classes, for keyboards
}

// Project is where projects are kept, opened and handed out.
type Project struct {
	Menu        string                              // label of the button that opens the dialog
	Title       string                              // of the dialog
	Close       string                              // button
	Default     func(n int) string                  // name of a new project
	Copy        func(original string, n int) string // name of a copy
	NameLabel   string                              // label of the field
	Kept        string                              // heading of the list
	New         string                              // button
	Open        string                              // button: a file
	OpenTitle   string
	Save        string // button: as a file
	SaveTitle   string
	Share       string // button: as a page
	ShareTitle  string
	ShareNote   string                   // what a shared page holds, and its camera
	OpenOne     func(name string) string // label of a button in the list
	Duplicate   func(name string) string // label of the button
	Remove      func(name string) string // label of the button
	Current     string                   // beside the one that is open
	Facts       func(classes, examples int) string
	Unsaved     string // states of saving
	Saving      string
	Saved       string
	SaveFailed  string
	Opening     func(done, all int) string
	Writing     func(percent string) string
	Undo, Redo  string                   // buttons, where there is nothing to undo
	UndoStep    func(step string) string // and where there is something
	RedoStep    func(step string) string
	AddClass    string // the steps
	RenameClass string
	RemoveClass string
	AddExamples string
	RemoveOne   string
	ClearClass  string
	EnableClass string
	Clear       func(c string) string // label of the button that empties a class
	ClearTitle  string
	ShowAll     func(n int) string // button under the first of many examples
	ShowFewer   string

	NotKept        string
	NotKeptRemedy  string
	NotSaved       string
	NotSavedRemedy string
	SaveAgain      string // button
	NotOpened      func(name string) string
	NothingLost    string
	NotWritten     string
	Trouble        string
	Removed        func(name string) string
	RemovedText    string
	Retrieve       string // button
	Elsewhere      string
	Full           string
	NoStore        string
	Gone           string
	OtherKind      string                      // a file of sounds on a page of pictures, or the other way round
	BadFile        func(message string) string // message: English, with the remedy
	NewerFile      func(message string) string
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
	Play           func(c string) string // label of an example
}

// Setup is how pictures are recognised, in the dialog of settings.
type Setup struct {
	Title        string
	Fast         string
	FastNote     string
	Balanced     string
	BalancedNote string
	Accurate     string
	AccurateNote string
	Own          string // a setup of the person's own
	OwnNote      string
	Rate         func(perSecond string) string // as measured
	NoRate       string
	Expert       string // opens the rest
	Embedder     string // labels
	Positions    string // choices
	Pyramid      string
	Grid         string
	Crops        func(n int) string
	Classifier   string
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

// Why is what shows which part of a picture matches which part of an example: live,
// and in the dialog of a closer look.
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
	Canvas  string // label of the drawing
	Legend  string
	Picture string // under the picture
	Example string // under the example

	// What a part does: how much of the whole it counts, and the shares of that
	// which go to so many others.
	PartOfPicture, PartOfExample func(counts string, n int, shares string) string

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

// Languages are those that the page speaks; the first is for everybody else.
var Languages = []*Texts{English, German}

var current atomic.Pointer[Texts]

// Current is what the page says, in the language that was chosen with Use.
func Current() *Texts {
	if t := current.Load(); t != nil {
		return t
	}
	return Languages[0]
}

// Use changes the language of Current.
func Use(t *Texts) {
	if sounds.Load() {
		t = t.ofSounds()
	}
	current.Store(t)
}

// Best returns the texts for the first of the given language tags, such as
// "de-AT", that the page speaks; English for none.
func Best(tags ...string) *Texts {
	for _, tag := range tags {
		code, _, _ := strings.Cut(strings.ToLower(tag), "-")
		for _, t := range Languages {
			if t.Code == code {
				return t
			}
		}
	}
	return Languages[0]
}
