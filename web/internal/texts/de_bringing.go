package texts

import "strconv"

var germanBringing = Bringing{
	Learning: func(done, all int) string {
		return "Gespeichert, lernt " + strconv.Itoa(done) + " von " + strconv.Itoa(all)
	},
	Save:        "Beispiele speichern",
	SaveTitle:   "Die Beispiele als Zip speichern, mit einem Ordner für jede Klasse, für andere Programme",
	Folder:      "Ordner hinzufügen",
	FolderTitle: "Einen Ordner hinzufügen, in dem jede Klasse einen Ordner mit Beispielen hat. Ein Zip mit solchen Ordnern öffnest du mit „Datei öffnen“, oder du ziehst es auf die Seite.",
	Brought: func(classes, examples int) string {
		return counted(examples, "1 Beispiel", "# Beispiele") + " in " + counted(classes, "1 Klasse", "# Klassen")
	},
	LeftBehind: func(files int) string {
		if files == 0 {
			return ""
		}
		return counted(files, "1 andere Datei wurde ausgelassen.", "# andere Dateien wurden ausgelassen.")
	},
	BadZip: "Die Datei ist kein Zip-Archiv oder beschädigt: Speichere oder lade sie noch einmal herunter.",
	Poses: func(program string) string {
		return "Es ist ein Projekt von " + program + ", das Körperhaltungen erkennt, an Gelenken und nicht an Bildern. Speichere dort die Bilder jeder Klasse und bring sie in Ordnern hierher."
	},
	Sounds: func(program string) string {
		return "Es ist ein Projekt von " + program + " mit Geräuschen, die nur dieses Programm lesen kann. Nimm sie hier unter Geräusche auf, oder bring WAV- oder MP3-Dateien in Ordnern."
	},
	NoExamples: "Es sind keine Beispiele darin: Gib jeder Klasse einen Ordner mit ihren Bildern.",
}
