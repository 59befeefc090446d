package texts

var germanShare = Share{
	Open:      "In eine Seite einbetten",
	OpenTitle: "Code holen, der dieses Projekt in deine eigene Seite setzt",
	Title:     "In deine Seite einbetten",
	Close:     "Schließen",

	Form:        "Was deine Seite zeigt",
	Frame:       "Die ganze Seite",
	FrameNote:   "Ein Rahmen mit allem in einer Datei. Er braucht sonst nichts, und nichts auf deiner Seite kann ihn stören.",
	Element:     "Nur die Erkennung",
	ElementNote: "Ein Teil deiner Seite. Skripte können die Antworten nutzen, und Besucher können ihr mehr zeigen.",

	Address: func(file string) string { return "Wo wird " + file + " liegen?" },
	Program: "Wo liegt das Programm, element.js?",

	Part: "Gib die ganze Adresse an, wie der Browser sie zeigt: Sie beginnt mit https://.",
	Other: func(ending string) string {
		return "Gib die Adresse der Datei selbst an: Sie endet auf " + ending + "."
	},
	Insecure:   "Browser geben Seiten mit http-Adressen keine Kamera. Nimm https.",
	Local:      "Diese Adresse geht nur auf diesem Gerät: gut für einen Versuch.",
	OwnProgram: "Das Programm gehört zu diesem Studio. Für ein eigenes lade die Ordner deepemd und weights hoch, die „deepemd export-site“ schreibt.",
	Script:     "Gib die Adresse der Datei element.js aus dem Paket an.",

	Steps:   "Was zu tun ist",
	Save:    func(file string) string { return "Speichere " + file + "." },
	SaveNow: "Datei speichern",
	Upload: func(file, address string) string {
		return "Lade " + file + " so hoch, dass die Datei hier liegt: " + address
	},
	Paste:            "Füge diesen Code in deine Seite ein, wo die Erkennung stehen soll.",
	Code:             "Code für deine Seite",
	Copy:             "Code kopieren",
	Copied:           "Kopiert",
	ByHand:           "Der Browser lässt diese Seite nicht kopieren. Der Code ist markiert: Drücke Strg+C, auf einem Mac ⌘C.",
	Elsewhere:        "Wenn deine Seite eine andere Adresse hat als die Datei, muss deren Server anderen Seiten erlauben, sie in einem Rahmen zu zeigen. Der meiste Webspace tut das; „deepemd serve“ tut es mit --embed.",
	ElsewhereElement: "Wenn deine Seite eine andere Adresse hat als Datei oder Programm, muss deren Server anderen Seiten erlauben, sie zu holen (CORS). „deepemd serve“ und die Dateien von „deepemd export-site“ tun das mit --embed.",
	Pictures:         "Wer deine Seite öffnen kann, kommt auch an die Beispielbilder, denn sie stehen in der Datei.",
}
