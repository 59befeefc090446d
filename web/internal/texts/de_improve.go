package texts

import "strconv"

var germanImprove = Improve{
	Title:        "Verbessern",
	Show:         "Zeigen, was sich verbessern lässt",
	Hide:         "Verbergen, was sich verbessern lässt",
	Waiting:      "Gib zwei Klassen je ein paar Beispiele. Dann steht hier, welche davon helfen und welche nicht.",
	Busy:         "Die Beispiele werden angesehen",
	Checks:       "Deine Beispiele",
	Confusion:    "Was verwechselt wird",
	UnknownTitle: "Unbekanntes",
	Test:         "Testen",
	Learn:        "Mehr daraus lernen",

	AllWell: "Nichts zu beanstanden.",
	Few: func(c string, n int) string {
		return c + " hat " + counted(n, "1 Beispiel", "# Beispiele") + ": Fünf oder mehr sind besser."
	},
	Dark:     func(n int) string { return counted(n, "1 Bild ist sehr dunkel", "# Bilder sind sehr dunkel") },
	Bright:   func(n int) string { return counted(n, "1 Bild ist fast weiß", "# Bilder sind fast weiß") },
	Blurred:  func(n int) string { return counted(n, "1 Bild ist unscharf", "# Bilder sind unscharf") },
	Twins:    func(n int) string { return counted(n, "1 Bild ist fast eine Kopie", "# Bilder sind fast Kopien") },
	TwinsTip: "Bewege die Sache oder die Kamera beim Aufnehmen: Verschiedene Ansichten lehren mehr.",
	Worst:    func(c string) string { return "Ohne dieses Beispiel von " + c + " passen die anderen besser." },
	Remove:   "Entfernen",
	RemoveIt: func(c string) string { return "Dieses Beispiel von " + c + " entfernen" },
	Look:     "Ansehen",
	Done:     "Fertig",

	ConfusionNote: func(right, all int) string {
		return strconv.Itoa(right) + " von " + strconv.Itoa(all) + " Beispielen werden erkannt, wenn jedes einmal weggelassen wird."
	},
	TooFewToTell: "Mit zwei Klassen zu je zwei Beispielen kann jedes einmal weggelassen werden, um zu sehen, wofür es gehalten wird.",
	Row:          "Ist",
	Column:       "Gehalten für",
	Cell: func(n int, row, column string) string {
		return counted(n, "1 Beispiel", "# Beispiele") + " von " + row + ", gehalten für " + column
	},
	Taken: func(row, column string) string { return row + ", gehalten für " + column },

	LookFor:    "Sagen, wenn es keine der Klassen ist",
	LookForTip: "Was keinem Beispiel gleicht, heißt unbekannt",
	Strictness: "Wie streng",
	Lenient:    "lässt mehr zu",
	Strict:     "weist mehr ab",
	Rates: func(accepted, rejected string, strangers, known int) string {
		return "So kämen " + accepted + " der Fremden durch (von " + counted(strangers, "1 Versuch", "# Versuchen") + "), und " + rejected + " deiner eigenen Beispiele würden abgewiesen (von " + strconv.Itoa(known) + ")."
	},
	Measured: func(accepted, rejected string) string {
		return "Noch hat keine Klasse zwei Beispiele, darum ist dies aus anderen Bildern geschätzt: " + accepted + " der Fremden kommen durch, " + rejected + " des Bekannten wird abgewiesen. Mit mehr Beispielen passt es sich an."
	},
	Histogram:  "Wie bekannt Bilder aussehen: deine Beispiele, weggelassen, und Fremde",
	Own:        "deine Beispiele, jedes weggelassen",
	Others:     "Fremde: Beispiele ohne ihre Klasse",
	Unknown:    "Unbekannt",
	UnknownTip: "Das gleicht keinem deiner Beispiele",

	TestNote:     "Wähle einen Ordner, der für jede Klasse einen Ordner mit neuen Bildern enthält, der so heißt wie sie. Andere Ordner zählen als unbekannt.",
	ChooseFolder: "Ordner wählen",
	ChooseZip:    "Zip wählen",
	Testing:      func(done, all int) string { return "Test, " + strconv.Itoa(done) + " von " + strconv.Itoa(all) },
	Stop:         "Anhalten",
	CloseTest:    "Test schließen",
	Accuracy: func(percent string, right, all int) string {
		return percent + " richtig: " + strconv.Itoa(right) + " von " + strconv.Itoa(all) + " Bildern"
	},
	Strangers:     func(folders string) string { return "Zählt als unbekannt: " + folders },
	Broken:        func(n int) string { return counted(n, "1 Datei ist kein Bild", "# Dateien sind keine Bilder") },
	WrongTitle:    func(n int) string { return counted(n, "1 Fehler", "# Fehler") },
	WrongOne:      func(class, taken string) string { return class + ", gehalten für " + taken },
	NothingToTest: "Es gibt nichts, womit getestet werden kann",
	NoFolders:     "Wähle einen Ordner, in dem für jede Klasse ein Ordner mit Bildern liegt.",
	NoMatch:       "Kein Ordner heißt wie eine Klasse, die Beispiele hat: Nenne die Ordner wie die Klassen.",
	BadZip:        func(name string) string { return name + " ließ sich nicht als Zip-Archiv lesen" },

	LearnNote: "Aus mehreren Beispielen jeder Klasse lässt sich lernen, was sie unterscheidet. Das dauert einen Moment und gilt, bis sich die Beispiele ändern.",
	Train:     "Lernen",
	Training:  func(percent string) string { return "Lernt, " + percent },
	Gain: func(before, after, of int) string {
		return "Von " + counted(of, "1 zurückgehaltenen Beispiel", "# zurückgehaltenen Beispielen") + " waren vorher " + strconv.Itoa(before) + " richtig, danach " + strconv.Itoa(after) + "."
	},
	NoGain: func(of int) string {
		return "Gelernt. Was es bringt, ließ sich mit so wenigen Beispielen nicht prüfen (" + strconv.Itoa(of) + " zum Zurückhalten)."
	},
	Learned:  "Die Antworten kommen aus dem Gelernten.",
	NotProto: "Nur der Vergleich mit dem Mittel der Beispiele kann lernen: Wähle ihn in den Einstellungen.",

	Enable:  func(c string) string { return c + " wieder beachten" },
	Disable: func(c string) string { return c + " übergehen" },
	Off:     "Übergangen",
}

var germanSetup = Setup{
	Title:        "Erkennung",
	Fast:         "Schnell",
	FastNote:     "Sieht das Bild einmal an.",
	Balanced:     "Ausgewogen",
	BalancedNote: "Sieht es einmal an, in Teilen mehrerer Größen.",
	Accurate:     "Gründlich",
	AccurateNote: "Sieht neun zufällige Teile an, einen nach dem anderen.",
	Own:          "Eigene",
	OwnNote:      "Wie unten gewählt.",
	Rate:         func(perSecond string) string { return perSecond + " Antworten/s hier" },
	NoRate:       "noch nicht gemessen",
	Expert:       "Für Fachleute",
	Embedder:     "Teile eines Bildes",
	Positions:    "Stellen der Karte",
	Pyramid:      "Stellen, auch gröbere",
	Grid:         "Ausschnitte in Gittern, 13 Durchgänge",
	Crops:        func(n int) string { return counted(n, "1 zufälliger Ausschnitt", "# zufällige Ausschnitte") },
	Classifier:   "Verglichen mit",
	Prototype:    "dem Mittel der Beispiele",
	Nearest:      "dem Beispiel, das am besten passt",
	Fusion:       "jedem Beispiel, im Mittel",
	Merge:        "Teilen aller Beispiele zugleich",
	Cosine:       "mittleren Merkmalen, ohne Zuordnung",
	Weighting:    "Gewicht eines Teils",
	Cross:        "nach Ähnlichkeit zum anderen Bild",
	Equal:        "alle gleich",
	Solver:       "Zuordnung",
	Exact:        "optimaler Transport",
	Dense:        "alle Teile mit allen",
	Temperature:  "Temperatur",
	Weights:      "Netz",
	WeightsNote:  "Eine safetensors-Datei eines ResNet-12, wie der Trainer sie schreibt. Sie bleibt auf diesem Gerät und gilt, solange die Seite offen ist.",
	OwnWeights:   "Eigenes verwenden",
	PageWeights:  "Zurück zu dem der Seite",
	Memory:       func(megabytes string) string { return "Deine Beispiele brauchen " + megabytes + " MB Speicher." },
	Changing: func(done, all int) string {
		return "Die Beispiele werden neu angesehen, " + strconv.Itoa(done) + " von " + strconv.Itoa(all)
	},
	Stop:    "Anhalten",
	Refused: "Die Einstellungen bleiben, wie sie waren",
}
