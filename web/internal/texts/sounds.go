package texts

import "sync/atomic"

// sounds says that the page tells sounds apart.
var sounds atomic.Bool

// HearSounds makes Current speak of sounds and a microphone, or of pictures and a camera
// again.
func HearSounds(on bool) {
	t := Current()
	sounds.Store(on)
	Use(Best(t.Code))
}

// ofSounds returns the texts for a page of sounds: other words in the places where those
// of a language speak of cameras and pictures.
func (t *Texts) ofSounds() *Texts {
	c := *t
	switch t.Code {
	case German.Code:
		germanSounds(&c)
	default:
		englishSounds(&c)
	}
	return &c
}

func englishSounds(t *Texts) {
	t.Answer.TeachFirst = "Give each class a few examples: hold its button and make the sound, again and again, or add recordings."
	t.Answer.Rate = func(perSecond string) string { return perSecond + " answers/s" }

	c := &t.Camera
	c.Start = "Start microphone"
	c.Stop = "Stop microphone"
	c.Choose = "Microphone"
	c.TestPicture = "Test a recording"
	c.Invitation = "Start the microphone, or drop a recording here (MP3, WAV) to have it classified."
	c.Waiting = "Waiting for the microphone. The browser may ask whether this page may use it."
	c.Sees = "What the microphone hears: time to the right, high notes on top"
	c.Picture = "The recording that is classified"
	c.Section = "Microphone and answer"

	t.Class.Hold = "Hold and make the sound"
	t.Class.HoldTitle = "Hold to record examples: each sound above the threshold is one"
	t.Class.AddPictures = "Add recordings"
	t.Class.AddTitle = "Add recordings from files (MP3, WAV)"
	t.Class.AddTo = func(c string) string { return "Add recordings to " + c }
	t.Class.Drop = "Recordings can be dropped here too."

	n := &t.Notice
	n.StartCamera = "Start microphone"
	n.CameraOff = "The microphone is off"
	n.CameraOffRemedy = "Start it to record examples, or add recordings from files."
	n.NotPicture = func(name string) string { return name + " could not be used as a recording" }
	n.NotPictures = func(names string) string { return names + " could not be used as recordings" }
	n.OthersAdded = "The other recordings were added."
	n.OrFiles = "You can also add recordings from files."
	n.CameraDenied = "The microphone is not allowed"
	n.CameraDeniedRemedy = "Allow it with the microphone sign in the address bar or in the browser's settings, then start it again."
	n.CameraMissing = "No microphone was found"
	n.CameraTaken = "The microphone is in use"
	n.CameraTakenRemedy = "Another program or tab holds it: close that one, then start the microphone again."
	n.CameraInsecure = "The browser gives no microphone to this address"
	n.CameraInsecureText = "Microphones work at https addresses and at localhost only: open the page there."
	n.CameraGone = "The microphone has gone"
	n.CameraFailed = "The microphone did not start"
	n.CameraFailedRemedy = "Try again, or choose another microphone."

	g := &t.Guide
	g.Show = "Start the microphone."
	g.Hold = "Hold the button of a class and make the sound: a few examples will do."

	t.Page.Slogan = "Let it hear a few examples. It tells them apart."
	t.Page.Private = "Sounds stay on this device: they are listened to here, in your browser, and sent nowhere."
	t.Project.ShareNote = "Files hold the spectrograms that were taught, not the sounds themselves."

	t.Setup.FastNote = "Listens to the sound once."
	t.Setup.Embedder = "Parts of a sound"
	t.Setup.Cross = "by its likeness to the other sound"

	i := &t.Improve
	i.TwinsTip = "Make the sound in another way, or from elsewhere, while you record: different examples teach more."
	i.Histogram = "How well known sounds are: your own examples, left out, and strangers"
	i.TestNote = "Choose a folder that holds a folder of new recordings for each class, named like the class. Other folders count as unknown."
	i.NoFolders = "Choose a folder with a folder of recordings for each class."

	w := &t.Why
	w.Waiting = "Once there are examples, this shows which part of the sound, in time and frequency, matches which part of an example."
	w.Legend = "Time runs to the right, high notes are on top. Each line joins two parts that are alike. Thick: much of the match. Bright: this part counts."
	w.Picture = "Sound"
	w.PictureBuilt = "The sound, built from parts of the example"
	w.ExampleBuilt = "The example, built from parts of the sound"
	w.BuiltNote = "Each part gives way to the part of the other spectrogram that it matches best. The brighter, the more it counts."
	w.TableNote = "A row for each part of the sound, a column for each part of the example. The stronger the colour, the more they have to do with each other."
}

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
