package texts

var germanWhy = Why{
	Title:     "Warum?",
	TitleOf:   func(c string) string { return "Warum " + c + "?" },
	TitleNot:  func(c string) string { return "Warum nicht " + c + "?" },
	Alike:     func(percent string) string { return "zu " + percent + " ähnlich" },
	Show:      "Zeigen, warum",
	Hide:      "Ausblenden",
	Heat:      "Was zählt",
	HeatTitle: "Teile, die wenig zählen, werden dunkel",
	Closer:    "Genauer ansehen",
	Waiting:   "Sobald es Beispiele gibt, sieht man hier, welcher Teil des Bildes zu welchem Teil eines Beispiels passt.",
	Canvas:    "Die Zuordnung, Teil für Teil. Pfeiltasten führen von Teil zu Teil.",
	Legend:    "Jede Linie verbindet zwei Teile, die sich ähneln. Dick: viel der Zuordnung. Hell: dieser Teil zählt. Zeige auf einen Teil, um ihm zu folgen.",
	Picture:   "Bild",
	Example:   "Ähnlichstes Beispiel",
	PartOfPicture: func(counts string, n int, shares string) string {
		return "Dieser Teil macht " + counts + " der Zuordnung aus. Er geht an " + counted(n, "einen Teil", "# Teile: "+shares) + "."
	},
	PartOfExample: func(counts string, n int, shares string) string {
		return "Dieser Teil macht " + counts + " der Zuordnung aus. Er kommt von " + counted(n, "einem Teil", "# Teilen: "+shares) + "."
	},
	Close:        "Schließen",
	Compare:      "Vergleichen mit",
	ExampleOf:    func(c string) string { return "Ähnlichstes Beispiel: " + c },
	PictureBuilt: "Das Bild, gebaut aus Teilen des Beispiels",
	ExampleBuilt: "Das Beispiel, gebaut aus Teilen des Bildes",
	BuiltNote:    "An die Stelle jedes Teils tritt der Teil des anderen Bildes, der am besten passt. Je heller, desto mehr zählt er.",
	Table:        "Alle Paare von Teilen. Pfeiltasten führen von Paar zu Paar.",
	TableNote:    "Eine Zeile für jeden Teil des Bildes, eine Spalte für jeden Teil des Beispiels. Je kräftiger die Farbe, desto mehr haben sie miteinander zu tun.",
	PairLabel:    "Die beiden Teile, vergrößert",
	Pair: func(percent, alike string) string {
		return percent + " der Zuordnung. Diese beiden Teile sind sich zu " + alike + " ähnlich."
	},
	PairApart: func(alike string) string {
		return "Nicht zugeordnet: Jeder hat bessere Partner. Diese beiden Teile sind sich zu " + alike + " ähnlich."
	},
}
