package texts

var englishWhy = Why{
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
}
