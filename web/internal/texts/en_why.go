package texts

var englishWhy = Why{
	Title:     "Why?",
	TitleOf:   func(c string) string { return "Why " + c + "?" },
	TitleNot:  func(c string) string { return "Why not " + c + "?" },
	Alike:     func(percent string) string { return percent + " similar" },
	Show:      "Show why",
	Hide:      "Hide",
	Heat:      "What counts",
	HeatTitle: "Darkens the parts that count little",
	Closer:    "Look closer",
	Waiting:   "Once there are examples, you see here which part of the picture matches which part of an example.",
	Nothing:   "Start the camera or test a picture. Then you see here which part of it matches which part of an example.",
	Canvas:    "The match, part by part. Arrow keys go from part to part.",
	Legend:    "Each line joins two similar parts. The thicker the line, the more of the match it is. The brighter, the more its part counts. Point at a part to follow it.",
	Picture:   "Picture",
	Example:   "Most similar example",
	PartOfPicture: func(counts string, n int, shares string) string {
		return "This part makes up " + counts + " of the match. It matches " + counted(n, "one part", "# parts: "+shares) + "."
	},
	PartOfExample: func(counts string, n int, shares string) string {
		return "This part makes up " + counts + " of the match. It matches " + counted(n, "one part", "# parts: "+shares) + "."
	},
	ByMatch: "Match",
	ByHead:  "What sets them apart",
	LeadByBoth: func(class, rival, match, head string) string {
		return class + " rather than " + rival + ": " + match + " of that comes from the match, " + head + " from what sets the classes apart."
	},
	LeadByMatch: func(class, rival string) string {
		return class + " rather than " + rival + ", because of the match. What sets the classes apart speaks for " + rival + ", but counts less here."
	},
	LeadByHead: func(class, rival string) string {
		return class + " rather than " + rival + ", because of what sets the classes apart. The match speaks for " + rival + ", but counts less here."
	},
	LeadTied:     func(class, rival string) string { return "Nothing tells " + class + " from " + rival + "." },
	Close:        "Close",
	Compare:      "Compare with",
	ExampleOf:    func(c string) string { return "Most similar " + c },
	PictureBuilt: "The picture, built from parts of the example",
	ExampleBuilt: "The example, built from parts of the picture",
	BuiltNote:    "In place of each part stands the part of the other picture that matches it best. The brighter, the more it counts.",
	Table:        "All pairs of parts. Arrow keys go from pair to pair.",
	TableNote:    "A row for each part of the picture, a column for each part of the example. The stronger the colour, the more of the match this pair is.",
	PairLabel:    "The two parts, enlarged",
	Pair: func(percent, alike string) string {
		return percent + " of the match. These two parts are " + alike + " similar."
	},
	PairApart: func(alike string) string {
		return "Not matched: both have better partners. These two parts are " + alike + " similar."
	},
}
