package texts

import "strconv"

var germanProject = Project{
	Menu:       "Projekte",
	Title:      "Deine Projekte",
	Close:      "Schließen",
	Default:    func(n int) string { return "Projekt " + strconv.Itoa(n) },
	Copy:       func(original string, n int) string { return Numbered(original+", Kopie", n) },
	NameLabel:  "Name des Projekts",
	Kept:       "Auf diesem Gerät",
	New:        "Neues Projekt",
	Open:       "Datei öffnen",
	OpenTitle:  "Eine Projektdatei öffnen (.deepemd)",
	Save:       "Als Datei sichern",
	SaveTitle:  "Das Projekt als eine Datei sichern, zum Aufheben oder Weitergeben",
	Share:      "Als Seite teilen",
	ShareTitle: "Das Projekt als eine Webseite sichern, die von selbst läuft, auch ohne Internet",
	ShareNote:  "Dateien und Seiten enthalten die gezeigten Bilder. Eine geteilte Seite läuft nach einem Doppelklick, ohne Internet; wo ihr der Browser keine Kamera gibt, nimmt sie Bilder.",
	OpenOne:    func(name string) string { return name + " öffnen" },
	Duplicate:  func(name string) string { return name + " verdoppeln" },
	Remove:     func(name string) string { return name + " löschen" },
	Current:    "offen",
	Facts: func(classes, examples int) string {
		return counted(classes, "1 Klasse", "# Klassen") + ", " + counted(examples, "1 Beispiel", "# Beispiele")
	},
	Unsaved:    "Noch nichts zu sichern",
	Saving:     "Wird gesichert",
	Saved:      "Auf diesem Gerät gesichert",
	SaveFailed: "Nicht gesichert",
	Opening: func(done, all int) string {
		return "Öffnen: " + strconv.Itoa(done) + " von " + strconv.Itoa(all) + " Beispielen"
	},
	Writing:     func(percent string) string { return "Datei: " + percent },
	Undo:        "Rückgängig",
	Redo:        "Wiederholen",
	UndoStep:    func(step string) string { return "Rückgängig: " + step },
	RedoStep:    func(step string) string { return "Wiederholen: " + step },
	AddClass:    "Klasse hinzufügen",
	RenameClass: "Klasse umbenennen",
	RemoveClass: "Klasse löschen",
	AddExamples: "Beispiele hinzufügen",
	RemoveOne:   "Beispiel löschen",
	EnableClass: "Klasse übergehen oder beachten",
	ClearClass:  "alle Beispiele einer Klasse löschen",
	Clear:       func(c string) string { return "Alle Beispiele von " + c + " löschen" },
	ClearTitle:  "Alle Beispiele dieser Klasse löschen",
	ShowAll:     func(n int) string { return "Alle " + strconv.Itoa(n) + " zeigen" },
	ShowFewer:   "Weniger zeigen",

	NotKept:        "Auf diesem Gerät wird nichts gesichert",
	NotKeptRemedy:  "Was du beibringst, ist fort, wenn die Seite geschlossen wird: Sichere das Projekt vorher als Datei.",
	NotSaved:       "Die letzten Änderungen sind nicht gesichert",
	NotSavedRemedy: "In dieser Seite sind sie noch da: Versuche es noch einmal, oder sichere das Projekt als Datei.",
	SaveAgain:      "Noch einmal sichern",
	NotOpened:      func(name string) string { return name + " ließ sich nicht öffnen" },
	NothingLost:    "Dein eigenes Projekt ist unverändert.",
	NotWritten:     "Die Datei konnte nicht gemacht werden",
	Trouble:        "Das ging nicht",
	Removed:        func(name string) string { return name + " wurde gelöscht" },
	RemovedText:    "Bis du diese Seite verlässt, kannst du es zurückholen.",
	Retrieve:       "Zurückholen",
	Elsewhere:      "Es ist in einem anderen Tab offen: Gehe dorthin, oder schließe den Tab und öffne es noch einmal.",
	Full:           "Es ist kein Platz mehr: Lösche Projekte oder Beispiele, oder schaffe Platz auf dem Gerät.",
	NoStore:        "Der Browser gibt dieser Seite keinen Speicher, vielleicht, weil sie in einem privaten Fenster ist.",
	Gone:           "Es wurde in einem anderen Tab gelöscht.",
	OtherKind:      "Es ist ein Projekt der anderen Art: Wechsle oben auf der Seite zwischen Bildern und Geräuschen und öffne es dort.",
	BadFile: func(message string) string {
		return "Es ist keine Projektdatei (.deepemd), oder sie ist beschädigt. (" + message + ")"
	},
	NewerFile: func(message string) string {
		return "Eine neuere Version hat sie gemacht: Lade diese Seite neu. (" + message + ")"
	},
}

var germanNotice = Notice{
	Dismiss:     "Schließen",
	StartCamera: "Kamera starten",
	Retry:       "Noch einmal",
	List:        func(names []string) string { return join(names, "und") },
	More:        func(n int) string { return strconv.Itoa(n) + " weitere" },
	Kept: func(examples int) string {
		if examples == 0 {
			return ""
		}
		return counted(examples, "Dein Beispiel bleibt erhalten.", "Alle # Beispiele bleiben erhalten.")
	},
	Reason: func(code, message string) string {
		switch code {
		case "bad-image":
			return "Es ist kein Bild, das sich lesen lässt: JPEG, PNG und WebP gehen immer. (" + message + ")"
		case "crashed":
			return "Die Erkennung ist abgestürzt. (" + message + ")"
		case "out-of-memory":
			return "Das Gerät gab ihr keinen Speicher mehr. (" + message + ")"
		case "network":
			return "Eine Datei kam nicht an: Prüfe die Verbindung und versuche es noch einmal. (" + message + ")"
		}
		return sentence(message)
	},

	EngineFailed:       "Die Erkennung konnte nicht geladen werden",
	EngineCrashed:      "Die Erkennung blieb stehen und wird neu gestartet",
	EngineMemory:       "Der Speicher des Geräts war voll; die Erkennung wird neu gestartet",
	EngineGone:         "Die Erkennung blieb stehen und startete nicht wieder",
	EngineGoneRemedy:   "Schließe andere Seiten und versuche es noch einmal.",
	EngineRestarted:    "Die Erkennung läuft wieder",
	EngineTrouble:      "Das konnte die Erkennung nicht",
	NoMemory:           "Das Gerät hat keinen Speicher für weitere Beispiele",
	NoMemoryRemedy:     "Schließe andere Tabs oder lösche Beispiele, dann geht es weiter.",
	CameraOff:          "Die Kamera ist aus",
	CameraOffRemedy:    "Starte sie, um Beispiele aufzunehmen, oder füge Bilder aus Dateien hinzu.",
	NotPicture:         func(name string) string { return name + " ließ sich nicht als Bild lesen" },
	NotPictures:        func(names string) string { return names + " ließen sich nicht als Bilder lesen" },
	OthersAdded:        "Die anderen Bilder wurden hinzugefügt.",
	OrFiles:            "Du kannst auch Bilder aus Dateien hinzufügen.",
	CameraDenied:       "Die Kamera ist nicht erlaubt",
	CameraDeniedRemedy: "Erlaube sie mit dem Kamerazeichen in der Adresszeile oder in den Einstellungen des Browsers und starte sie dann noch einmal.",
	CameraMissing:      "Keine Kamera gefunden",
	CameraMissingText:  "Schließe eine an und starte sie dann.",
	CameraTaken:        "Die Kamera ist besetzt",
	CameraTakenRemedy:  "Ein anderes Programm oder ein anderer Tab benutzt sie: Schließe es und starte die Kamera noch einmal.",
	CameraInsecure:     "Für diese Adresse gibt der Browser keine Kamera her",
	CameraInsecureText: "Kameras gehen nur an https-Adressen und an localhost: Öffne die Seite dort.",
	CameraGone:         "Die Kamera ist weg",
	CameraGoneRemedy:   "Sie wurde abgezogen oder weggenommen: Schließe sie an und starte sie wieder. Deine Beispiele bleiben erhalten.",
	CameraFailed:       "Die Kamera startete nicht",
	CameraFailedRemedy: "Versuche es noch einmal, oder wähle eine andere Kamera.",
	Update:             "Es gibt eine neue Version dieser Seite",
	UpdateText:         "Sie ist schon da: Lade die Seite neu, wann es dir passt.",
	Reload:             "Neu laden",
}
