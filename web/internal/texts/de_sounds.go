package texts

// germanSounds says other words where a page of sounds has no camera and no pictures.
func germanSounds(t *Texts) {
	t.Answer.TeachFirst = "Gib jeder Klasse ein paar Beispiele: Halte ihren Knopf und mach das Geräusch, immer wieder, oder füge Aufnahmen hinzu."
	t.Answer.Rate = func(perSecond string) string { return perSecond + " Antworten/s" }

	c := &t.Camera
	c.Start = "Mikrofon starten"
	c.Stop = "Mikrofon aus"
	c.Choose = "Mikrofon"
	c.TestPicture = "Aufnahme testen"
	c.Invitation = "Starte das Mikrofon, oder lass eine Aufnahme (MP3, WAV) hier fallen, um sie zu erkennen."
	c.Waiting = "Warte auf das Mikrofon. Vielleicht fragt der Browser, ob diese Seite es benutzen darf."
	c.Sees = "Was das Mikrofon hört: die Zeit läuft nach rechts, hohe Töne sind oben"
	c.Picture = "Die Aufnahme, die erkannt wird"
	c.Section = "Mikrofon und Antwort"

	t.Class.Hold = "Halten und Geräusch machen"
	t.Class.HoldTitle = "Halten, um Beispiele aufzunehmen: Jedes Geräusch über der Schwelle ist eines"
	t.Class.AddPictures = "Aufnahmen dazu"
	t.Class.AddTitle = "Aufnahmen aus Dateien hinzufügen (MP3, WAV)"
	t.Class.AddTo = func(c string) string { return "Aufnahmen zu " + c + " hinzufügen" }
	t.Class.Drop = "Aufnahmen kann man auch hier fallen lassen."

	n := &t.Notice
	reason := n.Reason
	n.Reason = func(code, message string) string {
		switch code {
		case "bad-sound":
			return "Es ist keine Aufnahme, die sich lesen lässt: MP3 und WAV bis zu einer Minute gehen. (" + message + ")"
		case "silent":
			return "Darin ist nichts zu hören. (" + message + ")"
		}
		return reason(code, message)
	}
	n.StartCamera = "Mikrofon starten"
	n.CameraOff = "Das Mikrofon ist aus"
	n.CameraOffRemedy = "Starte es, um Beispiele aufzunehmen, oder füge Aufnahmen aus Dateien hinzu."
	n.NotPicture = func(name string) string { return name + " ließ sich nicht als Aufnahme verwenden" }
	n.NotPictures = func(names string) string { return names + " ließen sich nicht als Aufnahmen verwenden" }
	n.OthersAdded = "Die anderen Aufnahmen wurden hinzugefügt."
	n.OrFiles = "Du kannst auch Aufnahmen aus Dateien hinzufügen."
	n.CameraDenied = "Das Mikrofon ist nicht erlaubt"
	n.CameraDeniedRemedy = "Erlaube es mit dem Mikrofonzeichen in der Adresszeile oder in den Einstellungen des Browsers und starte es dann noch einmal."
	n.CameraMissing = "Kein Mikrofon gefunden"
	n.CameraMissingText = "Schließe eines an und starte es dann."
	n.CameraTaken = "Das Mikrofon ist besetzt"
	n.CameraTakenRemedy = "Ein anderes Programm oder ein anderer Tab benutzt es: Schließe es und starte das Mikrofon noch einmal."
	n.CameraInsecure = "Für diese Adresse gibt der Browser kein Mikrofon her"
	n.CameraInsecureText = "Mikrofone gehen nur an https-Adressen und an localhost: Öffne die Seite dort."
	n.CameraGone = "Das Mikrofon ist weg"
	n.CameraGoneRemedy = "Es wurde abgezogen oder weggenommen: Schließe es an und starte es wieder. Deine Beispiele bleiben erhalten."
	n.CameraFailed = "Das Mikrofon startete nicht"
	n.CameraFailedRemedy = "Versuche es noch einmal, oder wähle ein anderes Mikrofon."

	g := &t.Guide
	g.Show = "Starte das Mikrofon."
	g.Hold = "Halte den Knopf einer Klasse und mach das Geräusch: Ein paar Beispiele reichen."

	t.Page.Slogan = "Ein paar Beispiele hören lassen, und es erkennt den Unterschied."
	t.Page.Private = "Geräusche bleiben auf diesem Gerät: Sie werden hier angehört, in deinem Browser, und nirgendwohin geschickt."
	t.Project.ShareNote = "Dateien enthalten die gelernten Spektrogramme, nicht die Geräusche selbst."

	t.Setup.FastNote = "Hört das Geräusch einmal an."
	t.Setup.Embedder = "Teile eines Geräuschs"
	t.Setup.Cross = "nach Ähnlichkeit zum anderen Geräusch"

	i := &t.Improve
	i.TwinsTip = "Mach das Geräusch beim Aufnehmen anders oder von anderswo: Verschiedene Beispiele lehren mehr."
	i.Histogram = "Wie bekannt Geräusche sind: deine Beispiele, weggelassen, und Fremde"
	i.TestNote = "Wähle einen Ordner, der für jede Klasse einen Ordner mit neuen Aufnahmen enthält, der so heißt wie sie. Andere Ordner zählen als unbekannt."
	i.NoFolders = "Wähle einen Ordner, in dem für jede Klasse ein Ordner mit Aufnahmen liegt."

	w := &t.Why
	w.Waiting = "Sobald es Beispiele gibt, zeigt dies, welcher Teil des Geräuschs nach Zeit und Tonhöhe zu welchem Teil eines Beispiels passt."
	w.Legend = "Die Zeit läuft nach rechts, hohe Töne sind oben. Jede Linie verbindet zwei Teile, die sich ähneln. Dick: viel der Übereinstimmung. Hell: Dieser Teil zählt."
	w.Picture = "Geräusch"
	w.PictureBuilt = "Das Geräusch, aus Teilen des Beispiels gebaut"
	w.ExampleBuilt = "Das Beispiel, aus Teilen des Geräuschs gebaut"
	w.BuiltNote = "Jeder Teil weicht dem Teil des anderen Spektrogramms, zu dem er am besten passt. Je heller, desto mehr zählt er."
	w.TableNote = "Eine Zeile für jeden Teil des Geräuschs, eine Spalte für jeden Teil des Beispiels. Je kräftiger die Farbe, desto mehr haben sie miteinander zu tun."
}
