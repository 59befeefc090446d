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

	Improve: Improve{
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
	},

	Notice: Notice{
		Dismiss:     "Dismiss",
		StartCamera: "Start camera",
		Retry:       "Try again",
		List:        func(names []string) string { return join(names, "and") },
		More:        func(n int) string { return strconv.Itoa(n) + " more" },
		Kept: func(examples int) string {
			if examples == 0 {
				return ""
			}
			return counted(examples, "Your example is kept.", "All # examples are kept.")
		},
		Reason: func(_, message string) string { return sentence(message) },

		EngineFailed:       "The classifier could not be loaded",
		EngineCrashed:      "The classifier stopped and is being restarted",
		EngineMemory:       "The device ran out of memory; the classifier is being restarted",
		EngineGone:         "The classifier stopped and did not start again",
		EngineGoneRemedy:   "Close other pages, then try again.",
		EngineRestarted:    "The classifier runs again",
		EngineTrouble:      "The classifier could not do that",
		NoMemory:           "The device has no memory left for more examples",
		NoMemoryRemedy:     "Close other tabs or delete some examples, then add more.",
		CameraOff:          "The camera is off",
		CameraOffRemedy:    "Start it to capture examples, or add pictures from files.",
		NotPicture:         func(name string) string { return name + " could not be read as a picture" },
		NotPictures:        func(names string) string { return names + " could not be read as pictures" },
		OthersAdded:        "The other pictures were added.",
		OrFiles:            "You can also add pictures from files.",
		CameraDenied:       "The camera is not allowed",
		CameraDeniedRemedy: "Allow it with the camera sign in the address bar or in the browser's settings, then start it again.",
		CameraMissing:      "No camera was found",
		CameraMissingText:  "Connect one, then start it.",
		CameraTaken:        "The camera is in use",
		CameraTakenRemedy:  "Another program or tab holds it: close that one, then start the camera again.",
		CameraInsecure:     "The browser gives no camera to this address",
		CameraInsecureText: "Cameras work at https addresses and at localhost only: open the page there.",
		CameraGone:         "The camera has gone",
		CameraGoneRemedy:   "It was unplugged or taken away: connect it, then start it again. Your examples are kept.",
		CameraFailed:       "The camera did not start",
		CameraFailedRemedy: "Try again, or choose another camera.",
		Update:             "There is a new version of this page",
		UpdateText:         "It is here already: load the page again when it suits you.",
		Reload:             "Load again",
	},

	Number: Number{
		Percent: func(whole string) string { return whole + "%" },
		Point:   ".",
	},

	Page: Page{
		Slogan:   "Show it a few examples. It tells them apart.",
		Private:  "Pictures stay on this device: they are looked at here, in your browser, and sent nowhere.",
		SkipLink: "To the classes",
	},

	Project: Project{
		Menu:       "Projects",
		Title:      "Projects",
		Close:      "Close",
		Default:    func(n int) string { return "Project " + strconv.Itoa(n) },
		Copy:       func(original string, n int) string { return Numbered(original+", copy", n) },
		NameLabel:  "Name of the project",
		Kept:       "On this device",
		New:        "New project",
		Open:       "Open a file",
		OpenTitle:  "Open a project file (.deepemd)",
		Save:       "Save as a file",
		SaveTitle:  "Save the project as one file, to keep or to pass on",
		Share:      "Share as a page",
		ShareTitle: "Save the project as one web page that works by itself, without the internet",
		ShareNote:  "Files and pages hold the pictures that were taught. A shared page runs from a double click, offline; where the browser gives it no camera, it takes pictures.",
		OpenOne:    func(name string) string { return "Open " + name },
		Duplicate:  func(name string) string { return "Duplicate " + name },
		Remove:     func(name string) string { return "Delete " + name },
		Current:    "open",
		Facts: func(classes, examples int) string {
			return counted(classes, "1 class", "# classes") + ", " + counted(examples, "1 example", "# examples")
		},
		Unsaved:    "Nothing to save yet",
		Saving:     "Saving",
		Saved:      "Saved on this device",
		SaveFailed: "Not saved",
		Opening: func(done, all int) string {
			return "Opening: " + strconv.Itoa(done) + " of " + strconv.Itoa(all) + " examples"
		},
		Writing:     func(percent string) string { return "File: " + percent },
		Undo:        "Undo",
		Redo:        "Redo",
		UndoStep:    func(step string) string { return "Undo: " + step },
		RedoStep:    func(step string) string { return "Redo: " + step },
		AddClass:    "add a class",
		RenameClass: "rename a class",
		RemoveClass: "delete a class",
		AddExamples: "add examples",
		RemoveOne:   "delete an example",
		EnableClass: "pass over or consider a class",
		ClearClass:  "delete all examples of a class",
		Clear:       func(c string) string { return "Delete all examples of " + c },
		ClearTitle:  "Delete all examples of this class",
		ShowAll:     func(n int) string { return "Show all " + strconv.Itoa(n) },
		ShowFewer:   "Show fewer",

		NotKept:        "Nothing is kept on this device",
		NotKeptRemedy:  "What you teach is lost when the page is closed: save the project as a file before.",
		NotSaved:       "The last changes are not saved",
		NotSavedRemedy: "They are still in this page: try again, or save the project as a file.",
		SaveAgain:      "Save again",
		NotOpened:      func(name string) string { return name + " could not be opened" },
		NothingLost:    "Your own project is as it was.",
		NotWritten:     "The file could not be made",
		Trouble:        "That did not work",
		Removed:        func(name string) string { return name + " was deleted" },
		RemovedText:    "It can be brought back until you leave this page.",
		Retrieve:       "Undo",
		Elsewhere:      "It is open in another tab: go there, or close that tab and open it again.",
		Full:           "There is no room left: delete projects or examples, or free space on the device.",
		NoStore:        "The browser gives this page no storage, perhaps because it is in a private window.",
		Gone:           "It was deleted in another tab.",
		OtherKind:      "It is a project of the other kind: switch between pictures and sounds at the top of the page, and open it there.",
		BadFile:        sentence,
		NewerFile:      sentence,
	},

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

	Setup: Setup{
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
	},

	Why: Why{
		Title:     "Why?",
		TitleOf:   func(c string) string { return "Why " + c + "?" },
		TitleNot:  func(c string) string { return "Why not " + c + "?" },
		Alike:     func(percent string) string { return percent + " alike" },
		Show:      "Show why",
		Hide:      "Hide",
		Heat:      "What counts",
		HeatTitle: "Parts that count little become dark",
		Closer:    "Look closer",
		Waiting:   "Once there are examples, this shows which part of the picture matches which part of an example.",
		Canvas:    "The match, part by part. Arrow keys go from part to part.",
		Legend:    "Each line joins two parts that look alike. Thick: much of the match. Bright: this part counts. Point at a part to follow it.",
		Picture:   "Picture",
		Example:   "Most alike example",
		PartOfPicture: func(counts string, n int, shares string) string {
			return "This part makes up " + counts + " of the match. It goes to " + counted(n, "one part", "# parts: "+shares) + "."
		},
		PartOfExample: func(counts string, n int, shares string) string {
			return "This part makes up " + counts + " of the match. It comes from " + counted(n, "one part", "# parts: "+shares) + "."
		},
		Close:        "Close",
		Compare:      "Compare with",
		ExampleOf:    func(c string) string { return "Most alike " + c },
		PictureBuilt: "The picture, built from parts of the example",
		ExampleBuilt: "The example, built from parts of the picture",
		BuiltNote:    "Each part gives way to the part of the other picture that it matches best. The brighter, the more it counts.",
		Table:        "All pairs of parts. Arrow keys go from pair to pair.",
		TableNote:    "A row for each part of the picture, a column for each part of the example. The stronger the colour, the more they have to do with each other.",
		PairLabel:    "The two parts, enlarged",
		Pair: func(percent, alike string) string {
			return percent + " of the match. These two parts are " + alike + " alike."
		},
		PairApart: func(alike string) string {
			return "Not matched: each has better partners. These two parts are " + alike + " alike."
		},
	},
}
