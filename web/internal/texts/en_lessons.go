package texts

import "strconv"

var englishLessons = Lessons{
	Open:     "Lessons",
	Title:    "Lessons",
	About:    "Each lesson begins a new project. What you have made so far stays among your projects.",
	Begin:    "Begin",
	BeginOne: func(lesson string) string { return "Begin the lesson " + lesson },
	GoOn:     "Go on",
	Things:   func(classes string) string { return "Classes: " + classes },
	Notes:    "Teacher's notes",
	NotesOf:  func(lesson string) string { return "Teacher's notes for " + lesson + ", two pages to print" },
	PutAway:  "Put the lesson away",
	Steps:    "Steps of the lesson",
	Reached:  "Done",
	Complete: "You did it! What did you find out? Tell the others.",
	Failed:   "The drawings could not be loaded",
	Alphabet: "Alphabet",
	Alphabets: map[string]string{
		"korean": "Korean vowels", "greek": "Greek", "katakana": "Japanese (katakana)", "sanskrit": "Sanskrit",
		"aramaic": "Early Aramaic", "balinese": "Balinese", "tagalog": "Tagalog", "latin": "Latin letters",
	},

	First:     "Teach 1 drawing of each",
	More:      "Teach 4 more of each",
	Tries:     "Drawn by other people. The page has never seen them:",
	Try:       func(n int) string { return "Drawing " + strconv.Itoa(n) },
	TryAll:    "Try all",
	WasRight:  "right",
	WasWrong:  "wrong",
	TriesSum:  func(right, all int) string { return strconv.Itoa(right) + " of " + strconv.Itoa(all) + " right" },
	Draw:      "Draw your own",
	DrawEnd:   "Stop drawing",
	Pad:       "Drawing pad",
	PadHint:   "Draw here.",
	Clear:     "Wipe",
	This:      "Teach it as:",
	TeachThis: func(c string) string { return "Teach this drawing as " + c },
	Drawing:   "Your drawing",

	Judge: "Was the answer right?",
	Yes:   "Right",
	No:    "Wrong",
	Sum: func(right, all int) string {
		return strconv.Itoa(right) + " of the last " + strconv.Itoa(all) + " right"
	},

	Recycling: LessonWords{
		Title:   "Recycling",
		Goal:    "Teach the computer to sort rubbish. Find out what it looks at, and when it is wrong.",
		Classes: "Paper, Plastic, Metal, Glass",
		Teach: func(n int) string {
			return "Give at least two classes " + strconv.Itoa(n) + " examples each. Turn the things while you do."
		},
		Test:    "Show it something new. Say first what you expect.",
		Fool:    "Find something that it gets wrong: crumpled, far away, before another background.",
		Improve: "Give it a few more examples of what it got wrong.",
		Reach:   reach,
	},
	Hands: LessonWords{
		Title:   "Hand signs",
		Goal:    "Teach the computer three hand signs. Does it know every hand, or only yours?",
		Classes: "Rock, Paper, Scissors",
		Teach: func(n int) string {
			return "Give at least two classes " + strconv.Itoa(n) + " examples each, all with the same hand."
		},
		Test:    "Now somebody else makes a sign. Say first what you expect.",
		Fool:    "Find a hand that it gets wrong: another side, a sleeve, a glove, another place.",
		Improve: "Give it a few more examples, of hands that it has not seen.",
		Reach:   reach,
	},
	Characters: LessonWords{
		Title:   "Drawn characters",
		Goal:    "Teach the computer signs of a foreign alphabet. How many drawings does it need to read the writing of strangers?",
		Classes: "five signs of the alphabet that you choose",
		Teach:   func(n int) string { return "Teach it " + counted(n, "1 drawing", "# drawings") + " of each sign." },
		Test:    "Have it read a drawing by somebody else. Say first what you expect.",
		Fool:    "Find a drawing that it gets wrong, or draw one that people can still read.",
		Improve: "Teach it more drawings of each sign.",
		Reach: func(right, all int) string {
			return "Try all " + strconv.Itoa(all) + ", and get " + strconv.Itoa(right) + " right."
		},
	},
	Words: LessonWords{
		Title:   "Spoken words",
		Goal:    "Teach the computer three words. Does it understand what you say, or how you say it?",
		Classes: "Yes, No, Stop",
		Teach: func(n int) string {
			return "Give at least two words " + strconv.Itoa(n) + " examples each, spoken by one of you."
		},
		Test:    "Say a word once more. Guess the answer first.",
		Fool:    "Find a voice that it gets wrong: another child, a whisper, a noise in the room.",
		Improve: "Give it a few more examples, by voices that it has not heard.",
		Reach:   reach,
	},
}

func reach(right, all int) string {
	return "Get " + strconv.Itoa(right) + " of " + strconv.Itoa(all) + " right."
}
