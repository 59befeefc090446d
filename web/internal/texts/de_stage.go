package texts

var germanStage = Stage{
	Tools: "Werkzeuge der Kamera",

	Frame:     "Ausschnitt wählen",
	FrameHelp: "Zieh das Bild, um es zu verschieben. Zoome mit zwei Fingern oder dem Mausrad. Tasten: Pfeile, + und −.",
	Zoom:      "Vergrößerung",
	Times:     func(number string) string { return number + "-fach" },
	Mirror:    "Spiegeln",
	Whole:     "Zurücksetzen",
	Done:      "Fertig",
}
