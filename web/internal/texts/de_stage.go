package texts

import "strconv"

var germanStage = Stage{
	Tools: "Werkzeuge der Kamera",

	Frame:     "Ausschnitt wählen",
	FrameHelp: "Zieh das Bild, um es zu verschieben. Zoome mit zwei Fingern oder dem Mausrad. Tasten: Pfeile, + und −.",
	Zoom:      "Vergrößerung",
	Times:     func(number string) string { return number + "-fach" },
	Mirror:    "Spiegeln",
	Whole:     "Zurücksetzen",
	Done:      "Fertig",

	Recording:     "Aufnahme",
	How:           "So nimmst du auf",
	ByHolding:     "Knopf halten",
	HandsFree:     "Freihändig",
	HandsFreeHelp: "Klick auf den Knopf einer Klasse, geh einen Schritt zurück und zeig der Kamera mit beiden Händen, was du willst.",
	PerSecond:     "Bilder pro Sekunde",
	Countdown:     "Vorlauf",
	NoCountdown:   "Keiner",
	Duration:      "Dauer",
	Seconds:       func(n int) string { return strconv.Itoa(n) + " s" },
	Beep:          "Ton am Anfang und am Ende",
	Close:         "Schließen",
	Record:        "Aufnehmen",
	RecordTitle:   "Nach einem Vorlauf Beispiele mit der Kamera aufnehmen",
	StopRecording: "Stopp",
	BeginsIn:      func(c string, n int) string { return c + ": Aufnahme in " + counted(n, "einer Sekunde", "# Sekunden") },
	Records:       func(c string) string { return c + " wird aufgenommen" },
	Recorded:      func(c string, n int) string { return c + ": " + counted(n, "ein neues Bild", "# neue Bilder") },

	Where:      "Zeigen, wo",
	WhereTitle: "Zeigen, wo im Bild die Gründe liegen: Was leuchtet, spricht für die Antwort",

	Empty:      "Leere Szene zeigen",
	EmptyTitle: "Nichts davon: Zeig die leere Szene. Was so aussieht, ist dann unbekannt.",
}
