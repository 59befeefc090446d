package texts

import "strconv"

// English is the language that the others are translated from.
var English = &Texts{
	Code: "en",
	Name: "English",

	Answer: Answer{
		Bars:       "Probability of each class",
		TeachFirst: "Give each class a few examples: hold its button while the camera sees one, or add pictures.",
		TeachMore:  "Give a second class examples, so that there is something to tell apart.",
		Speed:      func(millis string) string { return millis + " ms" },
		Rate:       func(perSecond string) string { return perSecond + " frames/s" },
		Parts:      func(network, match string) string { return "network " + network + " ms, matching " + match + " ms" },
	},

	Camera: Camera{
		Start:       "Start camera",
		Stop:        "Stop camera",
		Choose:      "Camera",
		Turn:        "Camera on the other side",
		TestPicture: "Test a picture",
		Invitation:  "Start the camera, or drop a picture here to have it classified.",
		Waiting:     "Waiting for the camera. The browser may ask whether this page may use it.",
		Sees:        "What the camera sees",
		Picture:     "The picture that is classified",
		Section:     "Camera and answer",
	},

	Class: Class{
		Section:     "Classes",
		Add:         "Add a class",
		Default:     func(n int) string { return "Class " + strconv.Itoa(n) },
		NameLabel:   "Name of the class",
		Delete:      func(c string) string { return "Delete class " + c },
		DeleteTitle: "Delete this class",
		Hold:        "Hold to capture",
		HoldTitle:   "Hold to capture examples from the camera",
		AddPictures: "Add pictures",
		AddTitle:    "Add pictures from files",
		AddTo:       func(c string) string { return "Add pictures to " + c },
		None:        "No examples yet.",
		Drop:        "Pictures can be dropped here too.",
		Examples:    func(c string) string { return "Examples of " + c },
		Question:    "Delete the class?",
		Sure: func(c string, n int) string {
			return "Delete " + c + " and its " + counted(n, "example", "# examples") + "?"
		},
		Yes:        "Delete",
		No:         "Keep",
		Thumbnail:  func(c string) string { return "Delete this example of " + c },
		ThumbTitle: "Delete this example",
	},

	Engine: Engine{
		Loading:    func(percent string) string { return "Loading the classifier, " + percent },
		LoadingBar: "Loading",
		Restarting: "Restarting the classifier",
		Failed:     "No classifier",
		Ready: func(network string, pixels int, kernels string) string {
			return network + " · " + strconv.Itoa(pixels) + " px · " + kernels
		},
	},

	Guide: Guide{
		Label:  "How it works",
		Show:   "Start the camera and show it a thing.",
		Hold:   "Hold the button of a class while it sees the thing: a few examples will do.",
		Read:   "Do so for a second class. It tells them apart at once.",
		Demo:   "Try it with pictures",
		Done:   "Got it",
		Tries:  "Pick a picture it has not seen:",
		Try:    func(n int) string { return "Picture " + strconv.Itoa(n) },
		Failed: "The pictures to try did not arrive",
		Cat:    "Cat",
		Cup:    "Cup",
		Gravel: "Gravel",
		Grass:  "Grass",
	},

	Improve: englishImprove,

	Notice: englishNotice,

	Number: Number{
		Percent: func(whole string) string { return whole + "%" },
		Point:   ".",
	},

	Page: Page{
		Slogan:   "Show it a few examples. It tells them apart.",
		Private:  "Pictures stay on this device: they are looked at here, in your browser, and sent nowhere.",
		SkipLink: "To the classes",
	},

	Project: englishProject,

	Settings: Settings{
		Open:     "Settings",
		Title:    "Settings",
		Close:    "Close",
		Language: "Language",
		Theme:    "Appearance",
		System:   "As the device",
		Light:    "Light",
		Dark:     "Dark",

		Device:         "On this device",
		NeedsNetwork:   "The page needs the network to load.",
		WithoutNetwork: "The page is kept here: it works without a network.",
		Install:        "Install as an app",
	},

	Sound: Sound{
		Kind:           "Pictures or sounds",
		Pictures:       "Pictures",
		Sounds:         "Sounds",
		Threshold:      "Threshold: what is quieter does not count",
		ThresholdTitle: "How loud it is. What stays left of the handle does not count: move it.",
		Play:           func(c string) string { return "Play this example of " + c },
	},

	Setup: englishSetup,

	Why: englishWhy,
}
