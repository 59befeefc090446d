package texts

import "strconv"

var germanLessons = Lessons{
	Open:     "Lektionen",
	Title:    "Lektionen",
	About:    "Jede Lektion beginnt ein neues Projekt. Was du bisher gemacht hast, bleibt bei deinen Projekten.",
	Begin:    "Anfangen",
	BeginOne: func(lesson string) string { return "Lektion " + lesson + " anfangen" },
	GoOn:     "Weitermachen",
	Things:   func(classes string) string { return "Klassen: " + classes },
	Notes:    "Für Lehrkräfte",
	NotesOf:  func(lesson string) string { return "Unterrichtshilfe zu " + lesson + ", zwei Seiten zum Drucken" },
	PutAway:  "Lektion weglegen",
	Steps:    "Schritte der Lektion",
	Reached:  "Geschafft",
	Complete: "Geschafft! Was hast du herausgefunden? Erzähl es den anderen.",
	Failed:   "Die Zeichnungen konnten nicht geladen werden",
	Alphabet: "Schrift",
	Alphabets: map[string]string{
		"korean": "Koreanische Vokale", "greek": "Griechisch", "katakana": "Japanisch (Katakana)", "sanskrit": "Sanskrit",
		"aramaic": "Altaramäisch", "balinese": "Balinesisch", "tagalog": "Tagalog", "latin": "Lateinische Buchstaben",
	},

	First:     "Je 1 Zeichnung zeigen",
	More:      "Je 4 weitere zeigen",
	Tries:     "Von anderen Leuten gezeichnet. Die Seite hat sie noch nie gesehen:",
	Try:       func(n int) string { return "Zeichnung " + strconv.Itoa(n) },
	TryAll:    "Alle ausprobieren",
	WasRight:  "richtig",
	WasWrong:  "falsch",
	TriesSum:  func(right, all int) string { return strconv.Itoa(right) + " von " + strconv.Itoa(all) + " richtig" },
	Draw:      "Selbst zeichnen",
	DrawEnd:   "Nicht mehr zeichnen",
	Pad:       "Zeichenfläche",
	PadHint:   "Zeichne hier.",
	Clear:     "Wegwischen",
	This:      "Als Beispiel für:",
	TeachThis: func(c string) string { return "Diese Zeichnung als Beispiel für " + c + " nehmen" },
	Drawing:   "Deine Zeichnung",

	Judge: "War die Antwort richtig?",
	Yes:   "Richtig",
	No:    "Falsch",
	Sum: func(right, all int) string {
		return strconv.Itoa(right) + " der letzten " + strconv.Itoa(all) + " richtig"
	},

	Recycling: LessonWords{
		Title:   "Müll trennen",
		Goal:    "Bring dem Computer bei, Müll zu sortieren. Finde heraus, worauf er schaut und wann er sich irrt.",
		Classes: "Papier, Plastik, Metall, Glas",
		Teach: func(n int) string {
			return "Gib mindestens zwei Klassen je " + strconv.Itoa(n) + " Beispiele. Dreh die Dinge dabei."
		},
		Test:    "Zeig ihm etwas Neues. Sag vorher, was du erwartest.",
		Fool:    "Finde etwas, das er falsch erkennt: zerknüllt, weit weg, vor einem anderen Hintergrund.",
		Improve: "Gib ihm ein paar Beispiele mehr von dem, was falsch war.",
		Reach:   reachGerman,
	},
	Hands: LessonWords{
		Title:   "Handzeichen",
		Goal:    "Bring dem Computer drei Handzeichen bei. Kennt er jede Hand oder nur deine?",
		Classes: "Stein, Papier, Schere",
		Teach: func(n int) string {
			return "Gib mindestens zwei Klassen je " + strconv.Itoa(n) + " Beispiele, alle mit derselben Hand."
		},
		Test:    "Jetzt macht jemand anders ein Zeichen. Sag vorher, was du erwartest.",
		Fool:    "Finde eine Hand, die er falsch erkennt: von der anderen Seite, mit Ärmel, mit Handschuh, an einem anderen Ort.",
		Improve: "Gib ihm ein paar Beispiele mehr, mit Händen, die er noch nicht kennt.",
		Reach:   reachGerman,
	},
	Characters: LessonWords{
		Title:   "Gezeichnete Schriftzeichen",
		Goal:    "Bring dem Computer Zeichen einer fremden Schrift bei. Wie viele Zeichnungen braucht er, um die Schrift von Fremden zu lesen?",
		Classes: "fünf Zeichen der Schrift, die du wählst",
		Teach: func(n int) string {
			return "Zeig ihm von jedem Zeichen " + counted(n, "1 Zeichnung", "# Zeichnungen") + "."
		},
		Test:    "Lass ihn eine Zeichnung von jemand anderem lesen. Sag vorher, was du erwartest.",
		Fool:    "Finde eine Zeichnung, die er falsch liest. Oder zeichne eine, die Menschen noch lesen können.",
		Improve: "Zeig ihm von jedem Zeichen mehr Zeichnungen.",
		Reach: func(right, all int) string {
			return "Probiere alle " + strconv.Itoa(all) + " aus. " + strconv.Itoa(right) + " sollen richtig sein."
		},
	},
	Words: LessonWords{
		Title:   "Gesprochene Wörter",
		Goal:    "Bring dem Computer drei Wörter bei. Versteht er, was du sagst, oder wie du es sagst?",
		Classes: "Ja, Nein, Stopp",
		Teach: func(n int) string {
			return "Gib mindestens zwei Wörtern je " + strconv.Itoa(n) + " Beispiele, alle von einem von euch gesprochen."
		},
		Test:    "Sag noch einmal ein Wort. Rate vorher, was die Antwort ist.",
		Fool:    "Finde eine Stimme, die er falsch versteht: ein anderes Kind, ein Flüstern, Lärm im Raum.",
		Improve: "Gib ihm ein paar Beispiele mehr, mit Stimmen, die er noch nicht kennt.",
		Reach:   reachGerman,
	},
}

func reachGerman(right, all int) string {
	return strconv.Itoa(right) + " von " + strconv.Itoa(all) + " sollen richtig sein."
}
