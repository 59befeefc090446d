package texts

import "strconv"

// germanSounds says other words where a page of sounds has no camera and no pictures.
func germanSounds(t *Texts) {
	t.Answer.TeachFirst = "Gib jeder Klasse ein paar Beispiele: Halte ihren Knopf gedrückt und mach das Geräusch ein paarmal, oder füge Aufnahmen hinzu."
	t.Answer.Rate = func(perSecond string) string { return perSecond + " Antworten/s" }

	c := &t.Camera
	c.Start = "Mikrofon starten"
	c.Stop = "Mikrofon stoppen"
	c.Choose = "Mikrofon"
	c.TestPicture = "Aufnahme testen"
	c.Invitation = "Starte das Mikrofon oder zieh eine Aufnahme (MP3, WAV) hierher."
	c.Waiting = "Warte auf das Mikrofon. Vielleicht musst du es im Browser erst erlauben."
	c.Sees = "Was das Mikrofon hört: die Zeit läuft nach rechts, hohe Töne sind oben"
	c.Picture = "Die Aufnahme, die du testest"
	c.Section = "Mikrofon und Antwort"

	t.Class.HoldTitle = "Halte den Knopf gedrückt und mach das Geräusch: Jedes Geräusch über der Schwelle wird ein Beispiel"
	t.Class.AddPictures = "Aufnahmen hinzufügen"
	t.Class.AddTitle = "Aufnahmen aus Dateien hinzufügen (MP3, WAV)"
	t.Class.AddTo = func(c string) string { return "Aufnahmen zu " + c + " hinzufügen" }
	t.Class.NothingNone = "Lass hier hören, was keinen Namen bekommen soll: den Raum, andere Geräusche. Was so klingt, ist dann unbekannt."
	t.Class.Drop = "Du kannst Aufnahmen auch hierher ziehen."

	n := &t.Notice
	n.StartCamera = "Mikrofon starten"
	n.CameraOff = "Das Mikrofon ist aus"
	n.CameraOffRemedy = "Starte es, um Beispiele aufzunehmen, oder füge Aufnahmen aus Dateien hinzu."
	n.NotPicture = func(name string) string { return name + " ließ sich nicht als Aufnahme verwenden" }
	n.NotPictures = func(names string) string { return names + " ließen sich nicht als Aufnahmen verwenden" }
	n.UsePictures = "Nimm eine Aufnahme: MP3 oder WAV."
	n.OthersAdded = "Die anderen Aufnahmen wurden hinzugefügt."
	n.OrFiles = "Du kannst auch Aufnahmen aus Dateien hinzufügen."
	n.CameraDenied = "Das Mikrofon ist nicht erlaubt"
	n.CameraDeniedRemedy = "Erlaube es mit dem Mikrofonzeichen in der Adresszeile oder in den Einstellungen des Browsers und starte es dann noch einmal."
	n.CameraMissing = "Kein Mikrofon gefunden"
	n.CameraMissingText = "Schließe eines an und starte es dann."
	n.CameraTaken = "Das Mikrofon wird schon benutzt"
	n.CameraTakenRemedy = "Ein anderes Programm oder ein anderer Tab benutzt es: Schließe es und starte das Mikrofon noch einmal."
	n.CameraInsecure = "Unter dieser Adresse erlaubt der Browser kein Mikrofon"
	n.CameraInsecureText = "Mikrofone gehen nur unter https-Adressen und localhost: Öffne die Seite dort."
	n.CameraGone = "Das Mikrofon ist weg"
	n.CameraGoneRemedy = "Es wurde abgezogen, oder ein anderes Programm hat es übernommen: Schließe es an und starte es wieder. Deine Beispiele bleiben erhalten."
	n.CameraFailed = "Das Mikrofon startete nicht"
	n.CameraFailedRemedy = "Versuche es noch einmal, oder wähle ein anderes Mikrofon."

	g := &t.Guide
	g.Show = "Starte das Mikrofon."
	g.Hold = "Halte den Knopf einer Klasse gedrückt und mach das Geräusch. Ein paar Beispiele reichen."

	t.Page.Slogan = "Lass die Seite ein paar Beispiele hören, und sie erkennt den Unterschied."
	t.Page.Private = "Deine Geräusche bleiben auf diesem Gerät. Dein Browser macht alles selbst und verschickt nichts."
	t.Project.ShareNote = "Dateien enthalten die Spektrogramme deiner Beispiele, nicht die Geräusche selbst."
	t.Bring.NoExamples = "Es sind keine Beispiele darin: Gib jeder Klasse einen Ordner mit ihren Aufnahmen (WAV, MP3)."
	t.Share.Insecure = "Browser geben Seiten mit http-Adressen kein Mikrofon. Nimm https."
	t.Share.Pictures = "Wer deine Seite öffnen kann, kommt auch an die Spektrogramme deiner Beispiele, denn sie stehen in der Datei."

	t.Setup.FastNote = "Hört das Geräusch einmal an."
	t.Setup.Embedder = "Teile eines Geräuschs"
	t.Setup.Cross = "nach der Ähnlichkeit mit dem anderen Geräusch"

	i := &t.Improve
	i.TwinsTip = "Mach das Geräusch beim Aufnehmen anders oder von anderswo: Aus verschiedenen Beispielen lernt die Seite mehr."
	i.Histogram = "Wie bekannt Geräusche sind: deine Beispiele, jedes einmal weggelassen, und Unbekanntes"
	i.TestNote = "Wähle einen Ordner mit neuen Aufnahmen. Darin liegt für jede Klasse ein Ordner, der wie die Klasse heißt. Andere Ordner zählen als unbekannt."
	i.NothingTip = "Das klingt wie „Nichts davon“"
	i.NothingHint = "Hält die Seite ein anderes Geräusch für eine deiner Klassen? Gib es als Beispiel für „Nichts davon“."
	i.Accuracy = func(percent string, right, all int) string {
		return percent + " richtig: " + strconv.Itoa(right) + " von " + counted(all, "1 Aufnahme", "# Aufnahmen")
	}
	i.Broken = func(n int) string {
		return counted(n, "1 Datei ist keine brauchbare Aufnahme", "# Dateien sind keine brauchbaren Aufnahmen")
	}
	i.NoFolders = "Wähle einen Ordner, in dem für jede Klasse ein Ordner mit Aufnahmen liegt."

	th := &t.Then
	th.Note = "Wähle, was passiert, wenn die Seite etwas hört."
	th.Hold = "Wenn es zu hören ist für"
	th.Row = func(c string) string { return "Wenn " + c + " zu hören ist" }
	th.CntTip = "Zählen, wie oft es zu hören ist"
	th.Counted = func(n int) string {
		if n == 0 {
			return "noch nicht gehört"
		}
		return counted(n, "einmal gehört", "#-mal gehört")
	}
	th.Strip = "Was in der letzten Minute zu hören war"
	th.LastedN = func(c, seconds string, times int) string {
		return c + " " + seconds + " s lang, " + counted(times, "einmal gehört", "#-mal gehört")
	}
	th.NoLog = "Noch ist nichts aufgeschrieben: Starte das Mikrofon."
	th.CSVSeen = "gehört"

	w := &t.Why
	w.Waiting = "Sobald es Beispiele gibt, siehst du hier, welcher Teil des Geräuschs nach Zeit und Tonhöhe zu welchem Teil eines Beispiels passt."
	w.Nothing = "Starte das Mikrofon oder teste eine Aufnahme. Dann siehst du hier, welcher Teil davon nach Zeit und Tonhöhe zu welchem Teil eines Beispiels passt."
	w.Legend = "Die Zeit läuft nach rechts, hohe Töne sind oben. Jede Linie verbindet zwei ähnliche Teile. Je dicker die Linie, desto mehr der Zuordnung ist sie. Je heller, desto mehr zählt ihr Teil."
	w.Picture = "Geräusch"
	w.PictureBuilt = "Das Geräusch, aus Teilen des Beispiels gebaut"
	w.ExampleBuilt = "Das Beispiel, aus Teilen des Geräuschs gebaut"
	w.BuiltNote = "An der Stelle jedes Teils steht der Teil des anderen Spektrogramms, der am besten passt. Je heller, desto mehr zählt er."
	w.TableNote = "Eine Zeile für jeden Teil des Geräuschs, eine Spalte für jeden Teil des Beispiels. Je kräftiger die Farbe, desto größer ist der Anteil dieses Paares an der Zuordnung."
}
