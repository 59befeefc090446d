package texts

import "strconv"

var englishImprove = Improve{
	Title:        "Improve",
	Show:         "Show what can be improved",
	Hide:         "Hide what can be improved",
	Waiting:      "Give two classes a few examples each. Then you see here which of them help and which do not.",
	Busy:         "Checking the examples",
	Checks:       "Your examples",
	Confusion:    "What gets mixed up",
	UnknownTitle: "Unknown things",
	Test:         "Test it",
	Learn:        "Learn from the examples",

	AllWell: "Your examples look good.",
	Few: func(c string, n int) string {
		return c + " has " + counted(n, "1 example", "# examples") + ": five or more are better."
	},
	Dark:     func(n int) string { return counted(n, "1 picture is very dark", "# pictures are very dark") },
	Bright:   func(n int) string { return counted(n, "1 picture is nearly white", "# pictures are nearly white") },
	Blurred:  func(n int) string { return counted(n, "1 picture is blurred", "# pictures are blurred") },
	Twins:    func(n int) string { return counted(n, "1 picture is nearly a copy", "# pictures are nearly copies") },
	TwinsTip: "Move the thing or the camera while you capture: the page learns more from different views.",
	Hurting: func(n int) string {
		return counted(n, "This example is taken for another class, and the others fit better without it.", "These # examples are taken for another class, and the others fit better without them.")
	},
	Remove:   func(n int) string { return counted(n, "Remove it", "Remove all #") },
	RemoveIt: func(c string) string { return "Remove this example of " + c },
	Look:     "Look",
	Done:     "Done",

	ConfusionNote: func(right, all int) string {
		return strconv.Itoa(right) + " of " + strconv.Itoa(all) + " examples are recognised when each is left out in turn."
	},
	TooFewToTell: "Give two classes at least two examples each. Then each example is left out in turn, to see what it is taken for.",
	Row:          "Is",
	Column:       "Taken for",
	Cell: func(n int, row, column string) string {
		return counted(n, "1 example", "# examples") + " of " + row + " taken for " + column
	},
	Taken: func(row, column string) string { return row + " taken for " + column },

	LookFor:    "Say when something fits none of the classes",
	LookForTip: "Whatever looks like none of the examples is called unknown",
	Strictness: "How strict",
	Lenient:    "lets more in",
	Strict:     "turns more away",
	Rates: func(accepted, rejected string, strangers, known int) string {
		return "At this setting " + accepted + " of unknown things pass for one of your classes, and " + rejected + " of your own are called unknown. This is counted on your examples: " + counted(strangers, "1 test", "# tests") + " with their class left out, " + counted(known, "1 test", "# tests") + " with the example alone left out."
	},
	Measured: func(accepted, rejected string) string {
		return "No class has two examples yet, so this is an estimate: " + accepted + " of unknown things pass for one of your classes, and " + rejected + " of your own are called unknown. Both get better as you add examples."
	},
	Histogram:  "How familiar pictures look: your own examples, each left out, and unknown things",
	Own:        "your examples, each left out",
	Others:     "unknown things: examples whose class is left out",
	Unknown:    "Unknown",
	UnknownTip: "This looks like none of your examples",
	NothingTip: "This looks like “Nothing of these”",

	NothingHint: "Does the empty scene pass for one of your classes? Give it as an example of “Nothing of these”.",
	NothingShow: "Show me where",
	NothingSays: func(n int) string {
		return "What looks like " + counted(n, "your example", "your # examples") + " of “Nothing of these” is unknown, too, however lenient this is."
	},

	TestNote:     "Choose a folder of new pictures. In it, each class has a folder with its name. Other folders count as unknown.",
	ChooseFolder: "Choose a folder",
	ChooseZip:    "Choose a zip file",
	Testing:      func(done, all int) string { return "Testing, " + strconv.Itoa(done) + " of " + strconv.Itoa(all) },
	Stop:         "Stop",
	CloseTest:    "Close the test",
	TestOld:      "This outcome is old: the examples or the settings have changed since.",
	TestAgain:    "Test again",
	TestAnother:  "Test with other files",
	PlayIt:       func(name string) string { return "Play " + name },
	Accuracy: func(percent string, right, all int) string {
		return percent + " right: " + strconv.Itoa(right) + " of " + strconv.Itoa(all) + " pictures"
	},
	Strangers:     func(folders string) string { return "Counted as unknown: " + folders },
	Broken:        func(n int) string { return counted(n, "1 file is not a picture", "# files are not pictures") },
	WrongTitle:    func(n int) string { return counted(n, "1 mistake", "# mistakes") },
	WrongOne:      func(class, taken string) string { return class + ", taken for " + taken },
	NothingToTest: "There is nothing to test with",
	NoFolders:     "Choose a folder that holds a folder of pictures for each class.",
	NoMatch:       "No folder has the name of a class with examples. Name the folders like the classes.",
	BadZip:        func(name string) string { return name + " could not be read as a zip archive" },

	LearnNote: "With several examples of each class, the page can learn what tells the classes apart. That takes a moment and lasts until the examples change.",
	Train:     "Learn",
	Training:  func(percent string) string { return "Learning, " + percent },
	Gain: func(before, after, of int) string {
		return "Of " + counted(of, "1 example", "# examples") + " held back, " + strconv.Itoa(before) + " were right before and " + strconv.Itoa(after) + " after."
	},
	NoGain: func(of int) string {
		return "Done. There are too few examples to check whether it helps (" + strconv.Itoa(of) + " could be held back)."
	},
	Learned:  "Answers come from what the page has learned.",
	NotProto: "Learning begins with the “mean of the examples”: choose in the settings that pictures are compared with it.",

	Enable:  func(c string) string { return "Use " + c + " again" },
	Disable: func(c string) string { return "Leave " + c + " out" },
	Off:     "Left out",
}

var englishSetup = Setup{
	Title:        "Recognition",
	Fast:         "Fast",
	FastNote:     "Looks at the picture once.",
	Balanced:     "Balanced",
	BalancedNote: "Looks once, at parts of several sizes. From one example of each class, 2 to 3 more of 1,000 answers are right; from five, no more.",
	Own:          "Your own",
	OwnNote:      "What you chose below.",
	Rate:         func(perSecond string) string { return perSecond + " answers/s here" },
	NoRate:       "not measured yet",
	Expert:       "For experts",
	Embedder:     "Parts of a picture",
	Positions:    "positions of the feature map",
	Pyramid:      "positions, and coarser ones",
	Grid: func(passes int) string {
		return "crops in grids, " + strconv.Itoa(passes) + " passes, for networks taught with them"
	},
	Crops: func(n int) string {
		return counted(n, "1 random crop", "# random crops") + ", for networks taught with them"
	},
	Classifier:  "Compare with",
	Mixture:     "mean of the examples, and what sets classes apart",
	Prototype:   "mean of the examples",
	Nearest:     "the example that fits best",
	Fusion:      "every example, on average",
	Merge:       "parts of all examples at once",
	Cosine:      "mean features, without matching",
	Weighting:   "Weight of a part",
	Cross:       "by how similar it is to the other picture",
	Equal:       "all the same",
	Solver:      "Matching",
	Exact:       "optimal transport",
	Dense:       "every part with every other",
	Temperature: "Temperature",
	Weights:     "Network",
	WeightsNote: "A safetensors file of a ResNet-12 that the trainer has written. It stays on this device, and the page uses it until you close it.",
	OwnWeights:  "Use my own",
	PageWeights: "Back to the page's own",
	Memory:      func(megabytes string) string { return "Your examples take " + megabytes + " MB of memory." },
	Changing: func(done, all int) string {
		return "Looking at the examples again, " + strconv.Itoa(done) + " of " + strconv.Itoa(all)
	},
	Stop:    "Stop",
	Refused: "The settings have not changed",
}
