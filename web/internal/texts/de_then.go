package texts

var germanThen = Then{
	Title:   "Dann",
	Note:    "Wähle, was passiert, wenn die Seite etwas sieht.",
	Show:    "Zeigen, was dann passiert",
	Hide:    "Ausblenden, was dann passiert",
	Waiting: "Gib erst einer Klasse ein paar Beispiele.",
	Pause:   "Anhalten",
	Hold:    "Wenn es zu sehen ist für",
	AtOnce:  "einen Augenblick",
	Seconds: func(n string) string {
		if n == "1" {
			return "1 Sekunde"
		}
		return n + " Sekunden"
	},

	Row:     func(c string) string { return "Wenn " + c + " zu sehen ist" },
	Say:     "Sprechen",
	SayTip:  "Den Namen laut sagen",
	Sound:   "Ton",
	SndTip:  "Einen Ton abspielen",
	Look:    "Bild",
	LookTip: "Ein Bild oder ein Emoji groß zeigen",
	Count:   "Zählen",
	CntTip:  "Zählen, wie oft es zu sehen ist",
	Send:    "Webseite",
	SendTip: "Der Webseite Bescheid geben, in der diese Seite steckt",
	Wire:    "Gerät",
	WireTip: "Eine Zeile Text an ein Gerät am Kabel schicken, etwa einen Mikrocontroller",
	Try:     func(c string) string { return c + " ausprobieren" },

	Tone:     "Ton",
	Tones:    Tones{"Glocke", "Hinauf", "Hinunter", "Trommel", "Summer", "Tusch"},
	OwnSound: "Dein eigener Ton",
	AddSound: "Tondatei",
	Text:     func(c string) string { return "Emoji oder Wort für " + c },
	Signs:    "Emojis zur Auswahl",
	AddImage: "Bilddatei",
	OwnImage: "Dein eigenes Bild",
	NoImage:  "Lieber ein Emoji",
	Counted: func(n int) string {
		if n == 0 {
			return "noch nicht gesehen"
		}
		return counted(n, "einmal gesehen", "#-mal gesehen")
	},
	Reset: "Bei 0 anfangen",
	Line:  func(c string) string { return "Zeile, die das Gerät bei " + c + " bekommt" },

	Connect:    "Gerät verbinden",
	Connecting: "Warten auf das Gerät",
	Connected:  "Das Gerät ist verbunden.",
	Disconnect: "Trennen",
	Speed:      "Geschwindigkeit in Bit je Sekunde",

	Log:      "Protokoll",
	LogNote:  "Jede Antwort aufschreiben, solange dies an ist. Es bleibt auf diesem Gerät.",
	KeepLog:  "Protokoll führen",
	SaveLog:  "Als Tabelle speichern (CSV)",
	ClearLog: "Leeren",
	LogName:  func(project string) string { return project + " Protokoll" },
	Entries:  func(n int) string { return counted(n, "1 Zeile", "# Zeilen") },
	Strip:    "Was in der letzten Minute zu sehen war",
	Lasted:   func(c, seconds string) string { return c + " " + seconds + " s lang" },
	LastedN: func(c, seconds string, times int) string {
		return c + " " + seconds + " s lang, " + counted(times, "einmal gesehen", "#-mal gesehen")
	},
	Minute: func(list string) string { return "Die letzte Minute: " + list + "." },
	NoLog:  "Noch ist nichts aufgeschrieben: Starte die Kamera.",

	CSVTime:        "Zeit",
	CSVSeconds:     "Sekunden",
	CSVAnswer:      "Antwort",
	CSVProbability: "Wahrscheinlichkeit",
	CSVSeen:        "gesehen",

	NoVoice:        "Dieses Gerät hat keine deutsche Stimme",
	NoVoiceRemedy:  "Installiere eine in den Einstellungen des Geräts. Stimmen, die über das Internet sprechen, nutzt die Seite nicht.",
	NoDevice:       "Das Gerät ist nicht zu erreichen",
	NoDeviceRemedy: "Prüfe das Kabel, schließe andere Programme, die das Gerät nutzen, und verbinde es noch einmal.",
	NotMedium:      func(file string) string { return file + " lässt sich nicht verwenden" },
	TooLarge:       "Die Datei ist zu groß: Nimm eine bis 20 MB.",
	BadMedium:      "Der Browser kann sie nicht lesen: Nimm ein Bild wie PNG oder JPEG oder einen Ton wie MP3 oder WAV.",
	Failed:         "Etwas ist nicht passiert",
}
