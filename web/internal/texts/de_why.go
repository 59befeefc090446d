package texts

var germanWhy = Why{
	Title:     "Warum?",
	TitleOf:   func(c string) string { return "Warum " + c + "?" },
	TitleNot:  func(c string) string { return "Warum nicht " + c + "?" },
	Alike:     func(percent string) string { return "zu " + percent + " ähnlich" },
	Show:      "Zeigen, warum",
	Hide:      "Ausblenden",
	Heat:      "Was zählt",
	HeatTitle: "Macht Teile dunkel, die wenig zählen",
	Closer:    "Genauer ansehen",
	Nothing:   "Starte die Kamera oder teste ein Bild. Dann siehst du hier, welcher Teil davon zu welchem Teil eines Beispiels passt.",
	Waiting:   "Sobald es Beispiele gibt, siehst du hier, welcher Teil des Bildes zu welchem Teil eines Beispiels passt.",
	Canvas:    "Die Zuordnung, Teil für Teil. Pfeiltasten führen von Teil zu Teil.",
	Legend:    "Jede Linie verbindet zwei ähnliche Teile. Je dicker die Linie, desto mehr der Zuordnung ist sie. Je heller, desto mehr zählt ihr Teil. Zeige auf einen Teil, um ihm zu folgen.",
	Picture:   "Bild",
	Example:   "Ähnlichstes Beispiel",
	PartOfPicture: func(counts string, n int, shares string) string {
		return "Dieser Teil macht " + counts + " der Zuordnung aus. Er passt zu " + counted(n, "einem Teil", "# Teilen: "+shares) + "."
	},
	PartOfExample: func(counts string, n int, shares string) string {
		return "Dieser Teil macht " + counts + " der Zuordnung aus. Er passt zu " + counted(n, "einem Teil", "# Teilen: "+shares) + "."
	},
	ByMatch: "Zuordnung",
	ByHead:  "Was sie trennt",
	LeadByBoth: func(class, rival, match, head string) string {
		return "Eher " + class + " als " + rival + ": Das kommt zu " + match + " von der Zuordnung und zu " + head + " von dem, was die Klassen trennt."
	},
	LeadByMatch: func(class, rival string) string {
		return "Eher " + class + " als " + rival + ", wegen der Zuordnung. Was die Klassen trennt, spricht für " + rival + ", zählt hier aber weniger."
	},
	LeadByHead: func(class, rival string) string {
		return "Eher " + class + " als " + rival + " wegen dem, was die Klassen trennt. Die Zuordnung spricht für " + rival + ", zählt hier aber weniger."
	},
	LeadTied:     func(class, rival string) string { return "Nichts unterscheidet " + class + " von " + rival + "." },
	Close:        "Schließen",
	Compare:      "Vergleichen mit",
	ExampleOf:    func(c string) string { return "Ähnlichstes Beispiel: " + c },
	PictureBuilt: "Das Bild, aus Teilen des Beispiels gebaut",
	ExampleBuilt: "Das Beispiel, aus Teilen des Bildes gebaut",
	BuiltNote:    "An der Stelle jedes Teils steht der Teil des anderen Bildes, der am besten passt. Je heller, desto mehr zählt er.",
	Table:        "Alle Paare von Teilen. Pfeiltasten führen von Paar zu Paar.",
	TableNote:    "Eine Zeile für jeden Teil des Bildes, eine Spalte für jeden Teil des Beispiels. Je kräftiger die Farbe, desto größer ist der Anteil dieses Paares an der Zuordnung.",
	PairLabel:    "Die beiden Teile, vergrößert",
	Pair: func(percent, alike string) string {
		return percent + " der Zuordnung. Diese beiden Teile sind sich zu " + alike + " ähnlich."
	},
	PairApart: func(alike string) string {
		return "Nicht zugeordnet: Beide haben bessere Partner. Diese beiden Teile sind sich zu " + alike + " ähnlich."
	},
}
