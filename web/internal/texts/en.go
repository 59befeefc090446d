package texts

import "strconv"

// English is the language that the others are translated from.
var English = &Texts{
	Code: "en",
	Name: "English",

	Answer: Answer{
		Bars:       "Probability of each class",
		TeachFirst: "Give each class a few examples: hold its button while the camera sees one, or add pictures.",
		TeachMore:  "Now give a second class a few examples.",
		Rate:       func(perSecond string) string { return perSecond + " answers a second" },
	},

	Camera: Camera{
		Start:       "Start camera",
		Stop:        "Stop camera",
		Choose:      "Camera",
		Turn:        "Use the other camera",
		TestPicture: "Test a picture",
		Invitation:  "Start the camera, or drop a picture here.",
		Waiting:     "Waiting for the camera. Your browser may ask you to allow it.",
		Sees:        "What the camera sees",
		Picture:     "The picture that you are testing",
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
		Drop:        "You can also drop pictures here.",
		Examples:    func(c string) string { return "Examples of " + c },
		Count: func(n, waiting int) string {
			return onTheWay(counted(n, "1 example", "# examples"), waiting)
		},
		Deleted: func(c string, n int) string {
			if n == 0 {
				return c + " was deleted"
			}
			return c + " was deleted, with " + counted(n, "its example", "its # examples")
		},
		Emptied: func(c string, n int) string {
			return counted(n, "The example of "+c+" was deleted", "The # examples of "+c+" were deleted")
		},
		Nothing:     "Nothing of these",
		NothingNone: "Show it the scene without your things. What looks like that is then unknown.",
		Thumbnail:   func(c string) string { return "Delete this example of " + c },
		ThumbTitle:  "Delete this example",
	},

	Engine: Engine{
		Loading:    func(percent string) string { return "Loading the classifier, " + percent },
		LoadingBar: "Loading",
		Restarting: "Restarting the classifier",
		Failed:     "No classifier",
		Ready:      "Ready",
		Facts: func(network string, pixels int, kernels string) string {
			return network + " · " + strconv.Itoa(pixels) + " px · " + kernels
		},
		Took: func(whole, network, match string) string {
			return "The answer took " + whole + " ms: network " + network + " ms, matching " + match + " ms"
		},
	},

	Guide: Guide{
		Label:  "How it works",
		Show:   "Start the camera and show it something.",
		Hold:   "Hold the button of a class while the camera sees it. A few examples are enough.",
		Read:   "Do the same for a second class. Now the page tells them apart.",
		Demo:   "Try it with pictures",
		Done:   "Got it",
		Tries:  "Choose a picture that the page has not seen yet:",
		Try:    func(n int) string { return "Picture " + strconv.Itoa(n) },
		Failed: "The pictures could not be loaded",
		Things: map[string]string{"apple": "Apple", "banana": "Banana", "orange": "Orange", "cat": "Cat"},
	},

	Improve: englishImprove,

	Notice: englishNotice,

	Number: Number{
		Percent: func(whole string) string { return whole + "%" },
		Point:   ".",
	},

	Page: Page{
		Slogan:  "Show it a few examples. It tells them apart.",
		Private: "Your pictures stay on this device. Your browser does all the work, and sends nothing.",

		Documentation: "Documentation", Examples: "Examples",
		SkipLink: "To the classes",
	},

	Project: englishProject,
	Bring:   englishBringing,
	Share:   englishShare,
	Stage:   englishStage,

	Settings: Settings{
		Open:     "Settings",
		Title:    "Settings",
		Close:    "Close",
		Language: "Language",
		Theme:    "Appearance",
		System:   "Like the device",
		Light:    "Light",
		Dark:     "Dark",

		Device:         "On this device",
		NeedsNetwork:   "The page needs the internet to load.",
		WithoutNetwork: "The page is stored on this device: it works without a network.",
		Install:        "Install as an app",
	},

	Sound: Sound{
		Kind:           "Pictures or sounds",
		Pictures:       "Pictures",
		Sounds:         "Sounds",
		Threshold:      "Threshold: quieter sounds do not count",
		ThresholdTitle: "How loud it is. Sounds that stay left of the handle do not count. Drag the handle to change that.",
		Play:           func(c string) string { return "Play this example of " + c },
	},

	Setup:   englishSetup,
	Then:    englishThen,
	Lessons: englishLessons,

	Why: englishWhy,
}
