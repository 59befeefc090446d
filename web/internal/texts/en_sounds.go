package texts

// englishSounds says other words where a page of sounds has no camera and no pictures.
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
