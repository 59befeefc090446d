package texts

import "strconv"

// German says "du" and keeps to short, plain words.
var German = &Texts{
	Code: "de",
	Name: "Deutsch",

	Answer: Answer{
		Bars:       "Wahrscheinlichkeit jeder Klasse",
		TeachFirst: "Gib jeder Klasse ein paar Beispiele: Halte ihren Knopf, während die Kamera eines sieht, oder füge Bilder hinzu.",
		TeachMore:  "Gib einer zweiten Klasse Beispiele, damit es etwas zu unterscheiden gibt.",
		Speed:      func(millis string) string { return millis + " ms" },
		Rate:       func(perSecond string) string { return perSecond + " Bilder/s" },
		Parts:      func(network, match string) string { return "Netz " + network + " ms, Zuordnung " + match + " ms" },
	},

	Camera: Camera{
		Start:       "Kamera starten",
		Stop:        "Kamera aus",
		Choose:      "Kamera",
		Turn:        "Kamera auf der anderen Seite",
		TestPicture: "Bild testen",
		Invitation:  "Starte die Kamera, oder lass ein Bild hier fallen, um es zu erkennen.",
		Waiting:     "Warte auf die Kamera. Vielleicht fragt der Browser, ob diese Seite sie benutzen darf.",
		Sees:        "Was die Kamera sieht",
		Picture:     "Das Bild, das erkannt wird",
		Section:     "Kamera und Antwort",
	},

	Class: Class{
		Section:     "Klassen",
		Add:         "Klasse hinzufügen",
		Default:     func(n int) string { return "Klasse " + strconv.Itoa(n) },
		NameLabel:   "Name der Klasse",
		Delete:      func(c string) string { return "Klasse " + c + " löschen" },
		DeleteTitle: "Diese Klasse löschen",
		Hold:        "Halten zum Aufnehmen",
		HoldTitle:   "Halten, um Beispiele mit der Kamera aufzunehmen",
		AddPictures: "Bilder dazu",
		AddTitle:    "Bilder aus Dateien hinzufügen",
		AddTo:       func(c string) string { return "Bilder zu " + c + " hinzufügen" },
		None:        "Noch keine Beispiele.",
		Drop:        "Bilder kann man auch hier fallen lassen.",
		Examples:    func(c string) string { return "Beispiele von " + c },
		Question:    "Klasse löschen?",
		Sure: func(c string, n int) string {
			return c + " und " + counted(n, "ein Beispiel", "# Beispiele") + " löschen?"
		},
		Yes:        "Löschen",
		No:         "Behalten",
		Thumbnail:  func(c string) string { return "Dieses Beispiel von " + c + " löschen" },
		ThumbTitle: "Dieses Beispiel löschen",
	},

	Engine: Engine{
		Loading:    func(percent string) string { return "Erkennung wird geladen, " + percent },
		LoadingBar: "Laden",
		Restarting: "Erkennung startet neu",
		Failed:     "Keine Erkennung",
		Ready: func(network string, pixels int, kernels string) string {
			return network + " · " + strconv.Itoa(pixels) + " px · " + kernels
		},
	},

	Guide: Guide{
		Label:  "So geht es",
		Show:   "Starte die Kamera und zeig ihr ein Ding.",
		Hold:   "Halte den Knopf einer Klasse, während sie es sieht: Ein paar Beispiele reichen.",
		Read:   "Dann ebenso die zweite Klasse. Der Unterschied wird sofort erkannt.",
		Demo:   "Mit Bildern ausprobieren",
		Done:   "Verstanden",
		Tries:  "Wähle ein Bild, das neu ist:",
		Try:    func(n int) string { return "Bild " + strconv.Itoa(n) },
		Failed: "Die Bilder zum Ausprobieren kamen nicht an",
		Cat:    "Katze",
		Cup:    "Tasse",
		Gravel: "Kies",
		Grass:  "Gras",
	},

	Improve: Improve{
		Title:        "Verbessern",
		Show:         "Zeigen, was sich verbessern lässt",
		Hide:         "Verbergen, was sich verbessern lässt",
		Waiting:      "Gib zwei Klassen je ein paar Beispiele. Dann steht hier, welche davon helfen und welche nicht.",
		Busy:         "Die Beispiele werden angesehen",
		Checks:       "Deine Beispiele",
		Confusion:    "Was verwechselt wird",
		UnknownTitle: "Unbekanntes",
		Test:         "Testen",
		Learn:        "Mehr daraus lernen",

		AllWell: "Nichts zu beanstanden.",
		Few: func(c string, n int) string {
			return c + " hat " + counted(n, "1 Beispiel", "# Beispiele") + ": Fünf oder mehr sind besser."
		},
		Dark:     func(n int) string { return counted(n, "1 Bild ist sehr dunkel", "# Bilder sind sehr dunkel") },
		Bright:   func(n int) string { return counted(n, "1 Bild ist fast weiß", "# Bilder sind fast weiß") },
		Blurred:  func(n int) string { return counted(n, "1 Bild ist unscharf", "# Bilder sind unscharf") },
		Twins:    func(n int) string { return counted(n, "1 Bild ist fast eine Kopie", "# Bilder sind fast Kopien") },
		TwinsTip: "Bewege die Sache oder die Kamera beim Aufnehmen: Verschiedene Ansichten lehren mehr.",
		Worst:    func(c string) string { return "Ohne dieses Beispiel von " + c + " passen die anderen besser." },
		Remove:   "Entfernen",
		RemoveIt: func(c string) string { return "Dieses Beispiel von " + c + " entfernen" },
		Look:     "Ansehen",
		Done:     "Fertig",

		ConfusionNote: func(right, all int) string {
			return strconv.Itoa(right) + " von " + strconv.Itoa(all) + " Beispielen werden erkannt, wenn jedes einmal weggelassen wird."
		},
		TooFewToTell: "Mit zwei Klassen zu je zwei Beispielen kann jedes einmal weggelassen werden, um zu sehen, wofür es gehalten wird.",
		Row:          "Ist",
		Column:       "Gehalten für",
		Cell: func(n int, row, column string) string {
			return counted(n, "1 Beispiel", "# Beispiele") + " von " + row + ", gehalten für " + column
		},
		Taken: func(row, column string) string { return row + ", gehalten für " + column },

		LookFor:    "Sagen, wenn es keine der Klassen ist",
		LookForTip: "Was keinem Beispiel gleicht, heißt unbekannt",
		Strictness: "Wie streng",
		Lenient:    "lässt mehr zu",
		Strict:     "weist mehr ab",
		Rates: func(accepted, rejected string, strangers, known int) string {
			return "So kämen " + accepted + " der Fremden durch (von " + counted(strangers, "1 Versuch", "# Versuchen") + "), und " + rejected + " deiner eigenen Beispiele würden abgewiesen (von " + strconv.Itoa(known) + ")."
		},
		Measured: func(accepted, rejected string) string {
			return "Noch hat keine Klasse zwei Beispiele, darum ist dies aus anderen Bildern geschätzt: " + accepted + " der Fremden kommen durch, " + rejected + " des Bekannten wird abgewiesen. Mit mehr Beispielen passt es sich an."
		},
		Histogram:  "Wie bekannt Bilder aussehen: deine Beispiele, weggelassen, und Fremde",
		Own:        "deine Beispiele, jedes weggelassen",
		Others:     "Fremde: Beispiele ohne ihre Klasse",
		Unknown:    "Unbekannt",
		UnknownTip: "Das gleicht keinem deiner Beispiele",

		TestNote:     "Wähle einen Ordner, der für jede Klasse einen Ordner mit neuen Bildern enthält, der so heißt wie sie. Andere Ordner zählen als unbekannt.",
		ChooseFolder: "Ordner wählen",
		ChooseZip:    "Zip wählen",
		Testing:      func(done, all int) string { return "Test, " + strconv.Itoa(done) + " von " + strconv.Itoa(all) },
		Stop:         "Anhalten",
		CloseTest:    "Test schließen",
		Accuracy: func(percent string, right, all int) string {
			return percent + " richtig: " + strconv.Itoa(right) + " von " + strconv.Itoa(all) + " Bildern"
		},
		Strangers:     func(folders string) string { return "Zählt als unbekannt: " + folders },
		Broken:        func(n int) string { return counted(n, "1 Datei ist kein Bild", "# Dateien sind keine Bilder") },
		WrongTitle:    func(n int) string { return counted(n, "1 Fehler", "# Fehler") },
		WrongOne:      func(class, taken string) string { return class + ", gehalten für " + taken },
		NothingToTest: "Es gibt nichts, womit getestet werden kann",
		NoFolders:     "Wähle einen Ordner, in dem für jede Klasse ein Ordner mit Bildern liegt.",
		NoMatch:       "Kein Ordner heißt wie eine Klasse, die Beispiele hat: Nenne die Ordner wie die Klassen.",
		BadZip:        func(name string) string { return name + " ließ sich nicht als Zip-Archiv lesen" },

		LearnNote: "Aus mehreren Beispielen jeder Klasse lässt sich lernen, was sie unterscheidet. Das dauert einen Moment und gilt, bis sich die Beispiele ändern.",
		Train:     "Lernen",
		Training:  func(percent string) string { return "Lernt, " + percent },
		Gain: func(before, after, of int) string {
			return "Von " + counted(of, "1 zurückgehaltenen Beispiel", "# zurückgehaltenen Beispielen") + " waren vorher " + strconv.Itoa(before) + " richtig, danach " + strconv.Itoa(after) + "."
		},
		NoGain: func(of int) string {
			return "Gelernt. Was es bringt, ließ sich mit so wenigen Beispielen nicht prüfen (" + strconv.Itoa(of) + " zum Zurückhalten)."
		},
		Learned:  "Die Antworten kommen aus dem Gelernten.",
		NotProto: "Nur der Vergleich mit dem Mittel der Beispiele kann lernen: Wähle ihn in den Einstellungen.",

		Enable:  func(c string) string { return c + " wieder beachten" },
		Disable: func(c string) string { return c + " übergehen" },
		Off:     "Übergangen",
	},

	Notice: Notice{
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
	},

	Number: Number{
		Percent: func(whole string) string { return whole + " %" },
		Point:   ",",
	},

	Page: Page{
		Slogan:   "Ein paar Beispiele zeigen, und es erkennt den Unterschied.",
		Private:  "Bilder bleiben auf diesem Gerät: Sie werden hier angesehen, in deinem Browser, und nirgendwohin geschickt.",
		SkipLink: "Zu den Klassen",
	},

	Project: Project{
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
	},

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
		NeedsNetwork:   "Die Seite braucht zum Laden das Netz.",
		WithoutNetwork: "Die Seite liegt auf dem Gerät: Sie geht auch ohne Netz.",
		Install:        "Als App installieren",
	},

	Sound: Sound{
		Kind:           "Bilder oder Geräusche",
		Pictures:       "Bilder",
		Sounds:         "Geräusche",
		Threshold:      "Schwelle: Was leiser ist, zählt nicht",
		ThresholdTitle: "So laut ist es. Was links vom Griff bleibt, zählt nicht: Verschiebe ihn.",
		Play:           func(c string) string { return "Dieses Beispiel von " + c + " abspielen" },
	},

	Setup: Setup{
		Title:        "Erkennung",
		Fast:         "Schnell",
		FastNote:     "Sieht das Bild einmal an.",
		Balanced:     "Ausgewogen",
		BalancedNote: "Sieht es einmal an, in Teilen mehrerer Größen.",
		Accurate:     "Gründlich",
		AccurateNote: "Sieht neun zufällige Teile an, einen nach dem anderen.",
		Own:          "Eigene",
		OwnNote:      "Wie unten gewählt.",
		Rate:         func(perSecond string) string { return perSecond + " Antworten/s hier" },
		NoRate:       "noch nicht gemessen",
		Expert:       "Für Fachleute",
		Embedder:     "Teile eines Bildes",
		Positions:    "Stellen der Karte",
		Pyramid:      "Stellen, auch gröbere",
		Grid:         "Ausschnitte in Gittern, 13 Durchgänge",
		Crops:        func(n int) string { return counted(n, "1 zufälliger Ausschnitt", "# zufällige Ausschnitte") },
		Classifier:   "Verglichen mit",
		Prototype:    "dem Mittel der Beispiele",
		Nearest:      "dem Beispiel, das am besten passt",
		Fusion:       "jedem Beispiel, im Mittel",
		Merge:        "Teilen aller Beispiele zugleich",
		Cosine:       "mittleren Merkmalen, ohne Zuordnung",
		Weighting:    "Gewicht eines Teils",
		Cross:        "nach Ähnlichkeit zum anderen Bild",
		Equal:        "alle gleich",
		Solver:       "Zuordnung",
		Exact:        "optimaler Transport",
		Dense:        "alle Teile mit allen",
		Temperature:  "Temperatur",
		Weights:      "Netz",
		WeightsNote:  "Eine safetensors-Datei eines ResNet-12, wie der Trainer sie schreibt. Sie bleibt auf diesem Gerät und gilt, solange die Seite offen ist.",
		OwnWeights:   "Eigenes verwenden",
		PageWeights:  "Zurück zu dem der Seite",
		Memory:       func(megabytes string) string { return "Deine Beispiele brauchen " + megabytes + " MB Speicher." },
		Changing: func(done, all int) string {
			return "Die Beispiele werden neu angesehen, " + strconv.Itoa(done) + " von " + strconv.Itoa(all)
		},
		Stop:    "Anhalten",
		Refused: "Die Einstellungen bleiben, wie sie waren",
	},

	Why: Why{
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
	},
}
