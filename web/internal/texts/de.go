package texts

import "strconv"

// German says "du" and keeps to short, plain words.
var German = &Texts{
	Code: "de",
	Name: "Deutsch",

	Answer: Answer{
		Bars:       "Wahrscheinlichkeit jeder Klasse",
		TeachFirst: "Gib jeder Klasse ein paar Beispiele: Halte ihren Knopf, während die Kamera eines sieht, oder füge Bilder hinzu.",
		TeachMore:  "Gib einer zweiten Klasse Beispiele, damit es etwas zu unterscheiden gibt.",
		Speed:      func(millis string) string { return millis + " ms" },
		Rate:       func(perSecond string) string { return perSecond + " Bilder/s" },
		Parts:      func(network, match string) string { return "Netz " + network + " ms, Zuordnung " + match + " ms" },
	},

	Camera: Camera{
		Start:       "Kamera starten",
		Stop:        "Kamera aus",
		Choose:      "Kamera",
		Turn:        "Kamera auf der anderen Seite",
		TestPicture: "Bild testen",
		Invitation:  "Starte die Kamera, oder lass ein Bild hier fallen, um es zu erkennen.",
		Waiting:     "Warte auf die Kamera. Vielleicht fragt der Browser, ob diese Seite sie benutzen darf.",
		Sees:        "Was die Kamera sieht",
		Picture:     "Das Bild, das erkannt wird",
		Section:     "Kamera und Antwort",
	},

	Class: Class{
		Section:     "Klassen",
		Add:         "Klasse hinzufügen",
		Default:     func(n int) string { return "Klasse " + strconv.Itoa(n) },
		NameLabel:   "Name der Klasse",
		Delete:      func(c string) string { return "Klasse " + c + " löschen" },
		DeleteTitle: "Diese Klasse löschen",
		Hold:        "Halten zum Aufnehmen",
		HoldTitle:   "Halten, um Beispiele mit der Kamera aufzunehmen",
		AddPictures: "Bilder dazu",
		AddTitle:    "Bilder aus Dateien hinzufügen",
		AddTo:       func(c string) string { return "Bilder zu " + c + " hinzufügen" },
		None:        "Noch keine Beispiele.",
		Drop:        "Bilder kann man auch hier fallen lassen.",
		Examples:    func(c string) string { return "Beispiele von " + c },
		Question:    "Klasse löschen?",
		Sure: func(c string, n int) string {
			return c + " und " + counted(n, "ein Beispiel", "# Beispiele") + " löschen?"
		},
		Yes:        "Löschen",
		No:         "Behalten",
		Thumbnail:  func(c string) string { return "Dieses Beispiel von " + c + " löschen" },
		ThumbTitle: "Dieses Beispiel löschen",
	},

	Engine: Engine{
		Loading:    func(percent string) string { return "Erkennung wird geladen, " + percent },
		LoadingBar: "Laden",
		Restarting: "Erkennung startet neu",
		Failed:     "Keine Erkennung",
		Ready: func(network string, pixels int, kernels string) string {
			return network + " · " + strconv.Itoa(pixels) + " px · " + kernels
		},
	},

	Guide: Guide{
		Label:  "So geht es",
		Show:   "Starte die Kamera und zeig ihr ein Ding.",
		Hold:   "Halte den Knopf einer Klasse, während sie es sieht: Ein paar Beispiele reichen.",
		Read:   "Dann ebenso die zweite Klasse. Der Unterschied wird sofort erkannt.",
		Demo:   "Mit Bildern ausprobieren",
		Done:   "Verstanden",
		Tries:  "Wähle ein Bild, das neu ist:",
		Try:    func(n int) string { return "Bild " + strconv.Itoa(n) },
		Failed: "Die Bilder zum Ausprobieren kamen nicht an",
		Cat:    "Katze",
		Cup:    "Tasse",
		Gravel: "Kies",
		Grass:  "Gras",
	},

	Improve: germanImprove,

	Notice: germanNotice,

	Number: Number{
		Percent: func(whole string) string { return whole + " %" },
		Point:   ",",
	},

	Page: Page{
		Slogan:   "Ein paar Beispiele zeigen, und es erkennt den Unterschied.",
		Private:  "Bilder bleiben auf diesem Gerät: Sie werden hier angesehen, in deinem Browser, und nirgendwohin geschickt.",
		SkipLink: "Zu den Klassen",
	},

	Project: germanProject,

	Settings: Settings{
		Open:     "Einstellungen",
		Title:    "Einstellungen",
		Close:    "Schließen",
		Language: "Sprache",
		Theme:    "Aussehen",
		System:   "Wie das Gerät",
		Light:    "Hell",
		Dark:     "Dunkel",

		Device:         "Auf diesem Gerät",
		NeedsNetwork:   "Die Seite braucht zum Laden das Netz.",
		WithoutNetwork: "Die Seite liegt auf dem Gerät: Sie geht auch ohne Netz.",
		Install:        "Als App installieren",
	},

	Sound: Sound{
		Kind:           "Bilder oder Geräusche",
		Pictures:       "Bilder",
		Sounds:         "Geräusche",
		Threshold:      "Schwelle: Was leiser ist, zählt nicht",
		ThresholdTitle: "So laut ist es. Was links vom Griff bleibt, zählt nicht: Verschiebe ihn.",
		Play:           func(c string) string { return "Dieses Beispiel von " + c + " abspielen" },
	},

	Setup: germanSetup,

	Why: germanWhy,
}
