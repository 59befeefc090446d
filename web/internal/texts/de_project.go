package texts

import "strconv"

var germanProject = Project{
	Menu:          "Projekte",
	Title:         "Deine Projekte",
	Close:         "Schließen",
	Default:       func(n int) string { return "Projekt " + strconv.Itoa(n) },
	Copy:          func(original string, n int) string { return Numbered(original+", Kopie", n) },
	NameLabel:     "Name des Projekts",
	Kept:          "Auf diesem Gerät",
	New:           "Neues Projekt",
	Open:          "Datei öffnen",
	OpenTitle:     "Eine Projektdatei öffnen (.deepemd)",
	Save:          "Als Datei speichern",
	SaveTitle:     "Das Projekt als eine Datei speichern, zum Aufheben oder Weitergeben",
	Share:         "Als Seite teilen",
	ShareTitle:    "Das Projekt als eine Webseite speichern, die allein läuft, auch ohne Internet",
	Send:          "Seite weitergeben",
	SendTitle:     "Die Seite an eine andere App geben: Mail, Nachrichten, Klassenordner",
	SendNow:       "Weitergeben",
	PageReady:     "Die Seite ist fertig",
	PageReadyText: "Wähle jetzt, wohin sie soll.",
	ShareNote:     "Dateien und Seiten enthalten deine Beispielbilder. Eine geteilte Seite öffnet sich mit einem Doppelklick und läuft ohne Internet. Wo der Browser ihr keine Kamera erlaubt, kannst du ihr Bilder geben.",
	OpenOne:       func(name string) string { return name + " öffnen" },
	Duplicate:     func(name string) string { return name + " kopieren" },
	Remove:        func(name string) string { return name + " löschen" },
	Current:       "offen",
	Facts: func(classes, examples int) string {
		return counted(classes, "1 Klasse", "# Klassen") + ", " + counted(examples, "1 Beispiel", "# Beispiele")
	},
	Unsaved:    "Noch nichts zu speichern",
	Saving:     "Wird gespeichert",
	Saved:      "Auf diesem Gerät gespeichert",
	SaveFailed: "Nicht gespeichert",
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
	RemoveSome:  "Beispiele löschen",
	EnableClass: "Klasse auslassen oder verwenden",
	ClearClass:  "alle Beispiele einer Klasse löschen",
	Clear:       func(c string) string { return "Alle Beispiele von " + c + " löschen" },
	ClearTitle:  "Alle Beispiele dieser Klasse löschen",
	ShowAll:     func(n int) string { return "Alle " + strconv.Itoa(n) + " zeigen" },
	ShowFewer:   "Weniger zeigen",

	NotKept:        "Dieser Browser speichert deine Arbeit nicht",
	NotKeptRemedy:  "Wenn du die Seite schließt, ist alles fort: Speichere das Projekt vorher als Datei.",
	NotSaved:       "Die letzten Änderungen sind nicht gespeichert",
	NotSavedRemedy: "In dieser Seite sind sie noch da: Versuche es noch einmal, oder speichere das Projekt als Datei.",
	SaveAgain:      "Noch einmal speichern",
	NotOpened:      func(name string) string { return name + " ließ sich nicht öffnen" },
	NothingLost:    "Dein eigenes Projekt ist unverändert.",
	NotWritten:     "Die Datei konnte nicht gespeichert werden",
	Trouble:        "Das hat nicht geklappt",
	Removed:        func(name string) string { return name + " wurde gelöscht" },
	RemovedText:    "Du kannst es zurückholen, bis du diese Seite verlässt.",
	Retrieve:       "Zurückholen",
	Elsewhere:      "Es ist in einem anderen Tab offen: Geh dorthin, oder schließe den Tab und öffne es noch einmal.",
	Full:           "Es ist kein Platz mehr: Lösche Projekte oder Beispiele, oder schaffe Platz auf dem Gerät.",
	NoStore:        "Der Browser gibt dieser Seite keinen Speicherplatz, vielleicht weil sie in einem privaten Fenster läuft.",
	Gone:           "Es wurde in einem anderen Tab gelöscht.",
	OtherKind:      "Es ist ein Projekt der anderen Art: Wechsle oben auf der Seite zwischen Bildern und Geräuschen und öffne es dort.",
	BadFile: func(message string) string {
		return "Es ist keine Projektdatei (.deepemd), oder sie ist beschädigt. (" + message + ")"
	},
	NewerFile: func(message string) string {
		return "Eine neuere Version hat sie gespeichert: Lade diese Seite neu. (" + message + ")"
	},
}

var germanNotice = Notice{
	Dismiss:     "Schließen",
	StartCamera: "Kamera starten",
	Retry:       "Noch einmal versuchen",
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
			return "Das Bild lässt sich nicht lesen: JPEG, PNG und WebP gehen immer. (" + message + ")"
		case "crashed":
			return "Die Erkennung ist abgestürzt. (" + message + ")"
		case "out-of-memory":
			return "Das Gerät hat keinen Speicher mehr frei. (" + message + ")"
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
	EngineTrouble:      "Das hat nicht geklappt",
	NoMemory:           "Das Gerät hat keinen Speicher für weitere Beispiele",
	NoMemoryRemedy:     "Schließe andere Tabs oder lösche Beispiele, dann geht es weiter.",
	CameraOff:          "Die Kamera ist aus",
	CameraOffRemedy:    "Starte sie, um Beispiele aufzunehmen, oder füge Bilder aus Dateien hinzu.",
	NotPicture:         func(name string) string { return name + " ließ sich nicht als Bild lesen" },
	UsePictures:        "Nimm ein Foto oder eine Zeichnung: JPEG, PNG oder WebP. Von einer Seite aus einem Dokument, etwa einem PDF, geht ein Bildschirmfoto.",
	NotPictures:        func(names string) string { return names + " ließen sich nicht als Bilder lesen" },
	OthersAdded:        "Die anderen Bilder wurden hinzugefügt.",
	OrFiles:            "Du kannst auch Bilder aus Dateien hinzufügen.",
	CameraDenied:       "Die Kamera ist nicht erlaubt",
	CameraDeniedRemedy: "Erlaube sie mit dem Kamerazeichen in der Adresszeile oder in den Einstellungen des Browsers und starte sie dann noch einmal.",
	CameraMissing:      "Keine Kamera gefunden",
	CameraMissingText:  "Schließe eine an und starte sie dann.",
	CameraTaken:        "Die Kamera wird schon benutzt",
	CameraTakenRemedy:  "Ein anderes Programm oder ein anderer Tab benutzt sie: Schließe es und starte die Kamera noch einmal.",
	CameraInsecure:     "Unter dieser Adresse erlaubt der Browser keine Kamera",
	CameraInsecureText: "Kameras gehen nur unter https-Adressen und localhost: Öffne die Seite dort.",
	CameraGone:         "Die Kamera ist weg",
	CameraGoneRemedy:   "Sie wurde abgezogen, oder ein anderes Programm hat sie übernommen: Schließe sie an und starte sie wieder. Deine Beispiele bleiben erhalten.",
	CameraFailed:       "Die Kamera startete nicht",
	CameraFailedRemedy: "Versuche es noch einmal, oder wähle eine andere Kamera.",
	Update:             "Es gibt eine neue Version dieser Seite",
	UpdateText:         "Sie ist bereit: Lade die Seite neu, wann es dir passt.",
	Reload:             "Neu laden",
}
