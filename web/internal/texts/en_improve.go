package texts

import "strconv"

var englishImprove = Improve{
	Title:        "Improve",
	Show:         "Show what can be improved",
	Hide:         "Hide what can be improved",
	Waiting:      "Give two classes a few examples each. Then this part says which of them help, and which do not.",
	Busy:         "Looking at the examples",
	Checks:       "Your examples",
	Confusion:    "Which are mixed up",
	UnknownTitle: "Unknown things",
	Test:         "Test it",
	Learn:        "Learn more from them",

	AllWell: "Nothing to complain about.",
	Few: func(c string, n int) string {
		return c + " has " + counted(n, "1 example", "# examples") + ": five or more are better."
	},
	Dark:     func(n int) string { return counted(n, "1 picture is very dark", "# pictures are very dark") },
	Bright:   func(n int) string { return counted(n, "1 picture is nearly white", "# pictures are nearly white") },
	Blurred:  func(n int) string { return counted(n, "1 picture is blurred", "# pictures are blurred") },
	Twins:    func(n int) string { return counted(n, "1 picture is a copy, nearly", "# pictures are copies, nearly") },
	TwinsTip: "Move the thing, or the camera, while you capture: different views teach more.",
	Worst:    func(c string) string { return "Without this example of " + c + " the others fit better." },
	Remove:   "Remove it",
	RemoveIt: func(c string) string { return "Remove this example of " + c },
	Look:     "Look",
	Done:     "Done",

	ConfusionNote: func(right, all int) string {
		return strconv.Itoa(right) + " of " + strconv.Itoa(all) + " examples are recognised when each is left out in turn."
	},
	TooFewToTell: "With two classes of two examples, each can be left out in turn to see what it is taken for.",
	Row:          "Is",
	Column:       "Taken for",
	Cell: func(n int, row, column string) string {
		return counted(n, "1 example", "# examples") + " of " + row + " taken for " + column
	},
	Taken: func(row, column string) string { return row + " taken for " + column },

	LookFor:    "Say when it is none of the classes",
	LookForTip: "What looks like none of the examples is called unknown",
	Strictness: "How strict",
	Lenient:    "lets more in",
	Strict:     "turns more away",
	Rates: func(accepted, rejected string, strangers, known int) string {
		return "At this setting " + accepted + " of strangers would pass (of " + counted(strangers, "1 test", "# tests") + "), and " + rejected + " of your own examples would be turned away (of " + strconv.Itoa(known) + ")."
	},
	Measured: func(accepted, rejected string) string {
		return "No class has two examples yet, so this is an estimate from other pictures: " + accepted + " of strangers pass, " + rejected + " of known things are turned away. It adapts as you add examples."
	},
	Histogram:  "How well known pictures look: your own examples, left out, and strangers",
	Own:        "your examples, each left out",
	Others:     "strangers: examples whose class is left out",
	Unknown:    "Unknown",
	UnknownTip: "This looks like none of your examples",

	TestNote:     "Choose a folder that holds a folder of new pictures for each class, named like the class. Other folders count as unknown.",
	ChooseFolder: "Choose a folder",
	ChooseZip:    "Choose a zip",
	Testing:      func(done, all int) string { return "Testing, " + strconv.Itoa(done) + " of " + strconv.Itoa(all) },
	Stop:         "Stop",
	CloseTest:    "Close the test",
	Accuracy: func(percent string, right, all int) string {
		return percent + " right: " + strconv.Itoa(right) + " of " + strconv.Itoa(all) + " pictures"
	},
	Strangers:     func(folders string) string { return "Counted as unknown: " + folders },
	Broken:        func(n int) string { return counted(n, "1 file is no picture", "# files are no pictures") },
	WrongTitle:    func(n int) string { return counted(n, "1 mistake", "# mistakes") },
	WrongOne:      func(class, taken string) string { return class + ", taken for " + taken },
	NothingToTest: "There is nothing to test with",
	NoFolders:     "Choose a folder with a folder of pictures for each class.",
	NoMatch:       "No folder has the name of a class that has examples: name the folders like the classes.",
	BadZip:        func(name string) string { return name + " could not be read as a zip archive" },

	LearnNote: "From several examples of each class the classifier can learn what tells them apart. It takes a moment, and holds until the examples change.",
	Train:     "Learn",
	Training:  func(percent string) string { return "Learning, " + percent },
	Gain: func(before, after, of int) string {
		return "Of " + counted(of, "1 example", "# examples") + " held back, " + strconv.Itoa(before) + " were right before and " + strconv.Itoa(after) + " after."
	},
	NoGain: func(of int) string {
		return "Learned. There were too few examples to check what it gains (" + strconv.Itoa(of) + " could be held back)."
	},
	Learned:  "Answers come from what was learned.",
	NotProto: "Only the classifier “mean of the examples” can learn: choose it in the settings.",

	Enable:  func(c string) string { return "Consider " + c + " again" },
	Disable: func(c string) string { return "Pass over " + c },
	Off:     "Passed over",
}

var englishSetup = Setup{
	Title:        "Recognition",
	Fast:         "Fast",
	FastNote:     "Looks at the picture once.",
	Balanced:     "Balanced",
	BalancedNote: "Looks once, at parts of several sizes.",
	Accurate:     "Thorough",
	AccurateNote: "Looks at nine random parts, one after the other.",
	Own:          "Your own",
	OwnNote:      "As chosen below.",
	Rate:         func(perSecond string) string { return perSecond + " answers/s here" },
	NoRate:       "not measured yet",
	Expert:       "For experts",
	Embedder:     "Parts of a picture",
	Positions:    "positions of the map",
	Pyramid:      "positions, and coarser ones",
	Grid:         "crops in grids, 13 passes",
	Crops:        func(n int) string { return counted(n, "1 random crop", "# random crops") },
	Classifier:   "Compare with",
	Prototype:    "mean of the examples",
	Nearest:      "the example that fits best",
	Fusion:       "every example, on average",
	Merge:        "parts of all examples at once",
	Cosine:       "mean features, unmatched",
	Weighting:    "Weight of a part",
	Cross:        "by its likeness to the other picture",
	Equal:        "all the same",
	Solver:       "Matching",
	Exact:        "optimal transport",
	Dense:        "all parts with all",
	Temperature:  "Temperature",
	Weights:      "Network",
	WeightsNote:  "A safetensors file of a ResNet-12, as the trainer writes it. It stays on this device and lasts as long as the page is open.",
	OwnWeights:   "Use my own",
	PageWeights:  "Back to the page's",
	Memory:       func(megabytes string) string { return "Your examples take " + megabytes + " MB of memory." },
	Changing: func(done, all int) string {
		return "Looking at the examples anew, " + strconv.Itoa(done) + " of " + strconv.Itoa(all)
	},
	Stop:    "Stop",
	Refused: "The settings stay as they were",
}
