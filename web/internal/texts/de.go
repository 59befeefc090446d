package texts

import "strconv"

// German says "du" and keeps to short, plain words.
var German = &Texts{
	Code: "de",
	Name: "Deutsch",

	Answer: Answer{
		Bars:       "Wahrscheinlichkeit jeder Klasse",
		TeachFirst: "Gib jeder Klasse ein paar Beispiele: Halte ihren Knopf gedrückt, während die Kamera eines sieht, oder füge Bilder hinzu.",
		TeachMore:  "Gib jetzt einer zweiten Klasse ein paar Beispiele.",
		Rate:       func(perSecond string) string { return perSecond + " Antworten pro Sekunde" },
	},

	Camera: Camera{
		Start:       "Kamera starten",
		Stop:        "Kamera stoppen",
		Choose:      "Kamera",
		Turn:        "Andere Kamera benutzen",
		TestPicture: "Bild testen",
		Invitation:  "Starte die Kamera oder zieh ein Bild hierher.",
		Waiting:     "Warte auf die Kamera. Vielleicht musst du sie im Browser erst erlauben.",
		Sees:        "Was die Kamera sieht",
		Picture:     "Das Bild, das du testest",
		Section:     "Kamera und Antwort",
	},

	Class: Class{
		Section:     "Klassen",
		Add:         "Klasse hinzufügen",
		Default:     func(n int) string { return "Klasse " + strconv.Itoa(n) },
		NameLabel:   "Name der Klasse",
		Delete:      func(c string) string { return "Klasse " + c + " löschen" },
		DeleteTitle: "Diese Klasse löschen",
		Hold:        "Zum Aufnehmen halten",
		HoldTitle:   "Halte den Knopf gedrückt, um Beispiele mit der Kamera aufzunehmen",
		AddPictures: "Bilder hinzufügen",
		AddTitle:    "Bilder aus Dateien hinzufügen",
		AddTo:       func(c string) string { return "Bilder zu " + c + " hinzufügen" },
		None:        "Noch keine Beispiele.",
		Drop:        "Du kannst Bilder auch hierher ziehen.",
		Examples:    func(c string) string { return "Beispiele von " + c },
		Count: func(n, waiting int) string {
			return onTheWay(counted(n, "1 Beispiel", "# Beispiele"), waiting)
		},
		Deleted: func(c string, n int) string {
			if n == 0 {
				return c + " wurde gelöscht"
			}
			return c + " wurde gelöscht, samt " + counted(n, "einem Beispiel", "# Beispielen")
		},
		Emptied: func(c string, n int) string {
			return counted(n, "Das Beispiel von "+c+" wurde gelöscht", "Die # Beispiele von "+c+" wurden gelöscht")
		},
		Nothing:     "Nichts davon",
		NothingNone: "Zeig hier die Szene ohne deine Dinge. Was so aussieht, ist dann unbekannt.",
		Thumbnail:   func(c string) string { return "Dieses Beispiel von " + c + " löschen" },
		ThumbTitle:  "Dieses Beispiel löschen",
	},

	Engine: Engine{
		Loading:    func(percent string) string { return "Erkennung wird geladen, " + percent },
		LoadingBar: "Laden",
		Restarting: "Erkennung startet neu",
		Failed:     "Keine Erkennung",
		Ready:      "Bereit",
		Facts: func(network string, pixels int, kernels string) string {
			return network + " · " + strconv.Itoa(pixels) + " px · " + kernels
		},
		Took: func(whole, network, match string) string {
			return "Die Antwort dauerte " + whole + " ms: Netz " + network + " ms, Zuordnung " + match + " ms"
		},
	},

	Guide: Guide{
		Label:  "So geht's",
		Show:   "Starte die Kamera und zeig ihr etwas.",
		Hold:   "Halte den Knopf einer Klasse gedrückt, während die Kamera es sieht. Ein paar Beispiele reichen.",
		Read:   "Mach dasselbe mit einer zweiten Klasse. Jetzt erkennt die Seite den Unterschied.",
		Demo:   "Mit Bildern ausprobieren",
		Done:   "Verstanden",
		Tries:  "Wähle ein Bild, das die Seite noch nicht kennt:",
		Try:    func(n int) string { return "Bild " + strconv.Itoa(n) },
		Failed: "Die Bilder konnten nicht geladen werden",
		Things: map[string]string{"apple": "Apfel", "banana": "Banane", "orange": "Orange", "cat": "Katze"},
	},

	Improve: germanImprove,

	Notice: germanNotice,

	Number: Number{
		Percent: func(whole string) string { return whole + " %" },
		Point:   ",",
	},

	Page: Page{
		Slogan:  "Zeig der Seite ein paar Beispiele, und sie erkennt den Unterschied.",
		Private: "Deine Bilder bleiben auf diesem Gerät. Dein Browser macht alles selbst und verschickt nichts.",

		Documentation: "Anleitungen", Examples: "Beispiele",
		SkipLink: "Zu den Klassen",
	},

	Project: germanProject,
	Bring:   germanBringing,
	Share:   germanShare,
	Stage:   germanStage,

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
		NeedsNetwork:   "Die Seite braucht zum Laden das Internet.",
		WithoutNetwork: "Die Seite ist auf dem Gerät gespeichert: Sie läuft auch ohne Internet.",
		Install:        "Als App installieren",
	},

	Sound: Sound{
		Kind:           "Bilder oder Geräusche",
		Pictures:       "Bilder",
		Sounds:         "Geräusche",
		Threshold:      "Schwelle: Was leiser ist, zählt nicht",
		ThresholdTitle: "So laut ist es gerade. Geräusche, die links vom Regler bleiben, zählen nicht. Verschiebe ihn, um das zu ändern.",
		Play:           func(c string) string { return "Dieses Beispiel von " + c + " abspielen" },
	},

	Setup:   germanSetup,
	Then:    germanThen,
	Lessons: germanLessons,

	Why: germanWhy,
}
