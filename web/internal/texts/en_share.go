package texts

var englishShare = Share{
	Open:      "Embed in a page",
	OpenTitle: "Get code that puts this project into a page of your own",
	Title:     "Embed in your page",
	Close:     "Close",

	Form:        "What your page shows",
	Frame:       "The whole page",
	FrameNote:   "A frame with everything in one file. It needs nothing else, and nothing of your page can break it.",
	Element:     "Just the classifier",
	ElementNote: "A part of your page. Scripts can use its answers, and visitors can teach it more.",

	Address: func(file string) string { return "Where will " + file + " lie?" },
	Program: "Where does the program, element.js, lie?",

	Part:       "Give the whole address, as the browser shows it: it begins with https://.",
	Other:      func(ending string) string { return "Give the address of the file itself: it ends in " + ending + "." },
	Insecure:   "Browsers give no camera to pages at http addresses. Use https.",
	Local:      "This address works on this device only: good for a try.",
	OwnProgram: "The program comes with this studio. For a copy of your own, upload the folders deepemd and weights that “deepemd export-site” writes.",
	Script:     "Give the address of the file element.js of the package.",

	Steps:            "What to do",
	Save:             func(file string) string { return "Save " + file + "." },
	SaveNow:          "Save the file",
	Upload:           func(file, address string) string { return "Upload " + file + ", so that it is found at " + address },
	Paste:            "Paste this code into your page, where you want to see it.",
	Code:             "Code for your page",
	Copy:             "Copy code",
	Copied:           "Copied",
	ByHand:           "The browser does not let this page copy. The code is selected: press Ctrl+C, or ⌘C on a Mac.",
	Elsewhere:        "If your page has another address than the file, the file's server must let other pages show it in a frame. Most web space does; “deepemd serve” does with --embed.",
	ElsewhereElement: "If your page has another address than the file or the program, their server must let other pages fetch them (CORS). “deepemd serve” and the files of “deepemd export-site” do with --embed.",
	Pictures:         "Everybody who can open your page can get the example pictures, as they are in the file.",
}
