package texts

import "strconv"

var germanImprove = Improve{
	Title:        "Verbessern",
	Show:         "Zeigen, was sich verbessern lässt",
	Hide:         "Ausblenden, was sich verbessern lässt",
	Waiting:      "Gib zwei Klassen je ein paar Beispiele. Dann siehst du hier, welche davon helfen und welche nicht.",
	Busy:         "Die Beispiele werden geprüft",
	Checks:       "Deine Beispiele",
	Confusion:    "Was verwechselt wird",
	UnknownTitle: "Unbekanntes",
	Test:         "Testen",
	Learn:        "Aus den Beispielen lernen",

	AllWell: "Deine Beispiele sind gut.",
	Few: func(c string, n int) string {
		return c + " hat " + counted(n, "1 Beispiel", "# Beispiele") + ": Fünf oder mehr sind besser."
	},
	Dark:     func(n int) string { return counted(n, "1 Bild ist sehr dunkel", "# Bilder sind sehr dunkel") },
	Bright:   func(n int) string { return counted(n, "1 Bild ist fast weiß", "# Bilder sind fast weiß") },
	Blurred:  func(n int) string { return counted(n, "1 Bild ist unscharf", "# Bilder sind unscharf") },
	Twins:    func(n int) string { return counted(n, "1 Bild ist fast eine Kopie", "# Bilder sind fast Kopien") },
	TwinsTip: "Bewege beim Aufnehmen den Gegenstand oder die Kamera: Aus verschiedenen Ansichten lernt die Seite mehr.",
	Hurting: func(n int) string {
		return counted(n, "Dieses Beispiel wird mit einer anderen Klasse verwechselt. Ohne es passen die übrigen besser zusammen.", "Diese # Beispiele werden mit einer anderen Klasse verwechselt. Ohne sie passen die übrigen besser zusammen.")
	},
	Remove:   func(n int) string { return counted(n, "Entfernen", "Alle # entfernen") },
	RemoveIt: func(c string) string { return "Dieses Beispiel von " + c + " entfernen" },
	Look:     "Ansehen",
	Done:     "Fertig",

	ConfusionNote: func(right, all int) string {
		return strconv.Itoa(right) + " von " + strconv.Itoa(all) + " Beispielen erkennt die Seite, wenn sie jedes einmal weglässt."
	},
	TooFewToTell: "Gib zwei Klassen mindestens je zwei Beispiele. Dann lässt die Seite jedes einmal weg und zeigt, als was sie es erkennt.",
	Row:          "Ist",
	Column:       "Erkannt als",
	Cell: func(n int, row, column string) string {
		return counted(n, "1 Beispiel", "# Beispiele") + " von " + row + ", erkannt als " + column
	},
	Taken: func(row, column string) string { return row + ", erkannt als " + column },

	LookFor:    "Melden, wenn etwas zu keiner Klasse passt",
	LookForTip: "Was keinem Beispiel ähnelt, heißt dann unbekannt",
	Strictness: "Wie streng",
	Lenient:    "lässt mehr durch",
	Strict:     "lehnt mehr ab",
	Rates: func(accepted, rejected string, strangers, known int) string {
		return "Bei dieser Einstellung gehen " + accepted + " des Unbekannten als eine deiner Klassen durch, und " + rejected + " deiner eigenen Dinge heißen unbekannt. Gezählt ist das an deinen Beispielen: " + counted(strangers, "1 Versuch", "# Versuche") + " ohne die ganze Klasse, " + counted(known, "1 Versuch", "# Versuche") + " nur ohne das Beispiel."
	},
	Measured: func(accepted, rejected string) string {
		return "Noch hat keine Klasse zwei Beispiele, darum ist dies geschätzt: " + accepted + " des Unbekannten gehen als eine deiner Klassen durch, und " + rejected + " deiner eigenen Dinge heißen unbekannt. Mit mehr Beispielen wird beides besser."
	},
	Histogram:  "Wie bekannt Bilder aussehen: deine Beispiele, jedes einmal weggelassen, und Unbekanntes",
	Own:        "deine Beispiele, jedes einmal weggelassen",
	Others:     "Unbekanntes: Beispiele, deren Klasse fehlt",
	Unknown:    "Unbekannt",
	UnknownTip: "Das ähnelt keinem deiner Beispiele",
	NothingTip: "Das sieht aus wie „Nichts davon“",

	NothingHint: "Hält die Seite die leere Szene für eine deiner Klassen? Gib sie als Beispiel für „Nichts davon“.",
	NothingShow: "Zeig mir, wo",
	NothingSays: func(n int) string {
		return "Was deinem " + counted(n, "Beispiel", "# Beispielen") + " für „Nichts davon“ ähnelt, ist auch unbekannt, wie streng die Seite auch ist."
	},

	TestNote:     "Wähle einen Ordner mit neuen Bildern. Darin liegt für jede Klasse ein Ordner, der wie die Klasse heißt. Andere Ordner zählen als unbekannt.",
	ChooseFolder: "Ordner wählen",
	ChooseZip:    "Zip-Datei wählen",
	Testing:      func(done, all int) string { return "Test, " + strconv.Itoa(done) + " von " + strconv.Itoa(all) },
	Stop:         "Abbrechen",
	CloseTest:    "Test schließen",
	TestOld:      "Das Ergebnis ist veraltet: Beispiele oder Einstellungen haben sich seitdem geändert.",
	TestAgain:    "Noch einmal testen",
	TestAnother:  "Mit anderen Dateien testen",
	PlayIt:       func(name string) string { return name + " abspielen" },
	Accuracy: func(percent string, right, all int) string {
		return percent + " richtig: " + strconv.Itoa(right) + " von " + strconv.Itoa(all) + " Bildern"
	},
	Strangers:     func(folders string) string { return "Zählt als unbekannt: " + folders },
	Broken:        func(n int) string { return counted(n, "1 Datei ist kein Bild", "# Dateien sind keine Bilder") },
	WrongTitle:    func(n int) string { return counted(n, "1 Fehler", "# Fehler") },
	WrongOne:      func(class, taken string) string { return class + ", erkannt als " + taken },
	NothingToTest: "Es gibt nichts zu testen",
	NoFolders:     "Wähle einen Ordner, in dem für jede Klasse ein Ordner mit Bildern liegt.",
	NoMatch:       "Kein Ordner heißt wie eine Klasse mit Beispielen. Gib den Ordnern die Namen der Klassen.",
	BadZip:        func(name string) string { return name + " ließ sich nicht als Zip-Datei lesen" },

	LearnNote: "Mit mehreren Beispielen je Klasse kann die Seite lernen, was die Klassen unterscheidet. Das dauert einen Moment und gilt, bis sich die Beispiele ändern.",
	Train:     "Lernen",
	Training:  func(percent string) string { return "Lernt, " + percent },
	Gain: func(before, after, of int) string {
		return "Von " + counted(of, "1 zurückgehaltenen Beispiel", "# zurückgehaltenen Beispielen") + " erkannte die Seite vorher " + strconv.Itoa(before) + " und danach " + strconv.Itoa(after) + "."
	},
	NoGain: func(of int) string {
		return "Fertig. Ob es hilft, lässt sich mit so wenigen Beispielen nicht prüfen (" + strconv.Itoa(of) + " zum Zurückhalten)."
	},
	Learned:  "Die Antworten kommen jetzt aus dem Gelernten.",
	NotProto: "Das Lernen beginnt mit dem Mittel der Beispiele: Wähle in den Einstellungen, dass damit verglichen wird.",

	Enable:  func(c string) string { return c + " wieder verwenden" },
	Disable: func(c string) string { return c + " auslassen" },
	Off:     "Ausgelassen",
}

var germanSetup = Setup{
	Title:        "Erkennung",
	Fast:         "Schnell",
	FastNote:     "Schaut das Bild einmal an.",
	Balanced:     "Ausgewogen",
	BalancedNote: "Schaut es einmal an, in Teilen verschiedener Größe. Von 1000 Antworten sind 2 bis 3 mehr richtig bei einem Beispiel je Klasse, keine mehr bei fünf.",
	Own:          "Eigene",
	OwnNote:      "So, wie du unten gewählt hast.",
	Rate:         func(perSecond string) string { return perSecond + " Antworten/s hier" },
	NoRate:       "noch nicht gemessen",
	Expert:       "Für Fachleute",
	Embedder:     "Teile eines Bildes",
	Positions:    "Stellen der Merkmalskarte",
	Pyramid:      "Stellen, auch gröbere",
	Grid: func(passes int) string {
		return "Ausschnitte in Gittern, " + strconv.Itoa(passes) + " Durchgänge, für Netze, die damit gelernt haben"
	},
	Crops: func(n int) string {
		return counted(n, "1 zufälliger Ausschnitt", "# zufällige Ausschnitte") + ", für Netze, die damit gelernt haben"
	},
	Classifier:  "Verglichen mit",
	Mixture:     "dem Mittel der Beispiele und dem, was Klassen trennt",
	Prototype:   "dem Mittel der Beispiele",
	Nearest:     "dem Beispiel, das am besten passt",
	Fusion:      "jedem Beispiel, im Mittel",
	Merge:       "Teilen aller Beispiele zugleich",
	Cosine:      "mittleren Merkmalen, ohne Zuordnung",
	Weighting:   "Gewicht eines Teils",
	Cross:       "nach der Ähnlichkeit mit dem anderen Bild",
	Equal:       "alle gleich",
	Solver:      "Zuordnung",
	Exact:       "optimaler Transport",
	Dense:       "jeder Teil mit jedem",
	Temperature: "Temperatur",
	Weights:     "Netz",
	WeightsNote: "Eine safetensors-Datei eines ResNet-12, die der Trainer geschrieben hat. Sie bleibt auf diesem Gerät und gilt, bis du die Seite schließt.",
	OwnWeights:  "Eigenes Netz verwenden",
	PageWeights: "Zurück zum Netz der Seite",
	Memory:      func(megabytes string) string { return "Deine Beispiele brauchen " + megabytes + " MB Speicher." },
	Changing: func(done, all int) string {
		return "Die Beispiele werden noch einmal angesehen, " + strconv.Itoa(done) + " von " + strconv.Itoa(all)
	},
	Stop:    "Anhalten",
	Refused: "Die Einstellungen sind unverändert",
}
