package texts

import "strconv"

// englishSounds says other words where a page of sounds has no camera and no pictures.
func englishSounds(t *Texts) {
	t.Answer.TeachFirst = "Give each class a few examples: hold its button and make the sound several times, or add recordings."
	t.Answer.Rate = func(perSecond string) string { return perSecond + " answers/s" }

	c := &t.Camera
	c.Start = "Start microphone"
	c.Stop = "Stop microphone"
	c.Choose = "Microphone"
	c.TestPicture = "Test a recording"
	c.Invitation = "Start the microphone, or drop a recording here (MP3, WAV)."
	c.Waiting = "Waiting for the microphone. Your browser may ask you to allow it."
	c.Sees = "What the microphone hears: time runs to the right, high notes are on top"
	c.Picture = "The recording that you are testing"
	c.Section = "Microphone and answer"

	t.Class.Hold = "Hold to record"
	t.Class.HoldTitle = "Hold the button and make the sound: each sound above the threshold becomes an example"
	t.Class.AddPictures = "Add recordings"
	t.Class.AddTitle = "Add recordings from files (MP3, WAV)"
	t.Class.AddTo = func(c string) string { return "Add recordings to " + c }
	t.Class.NothingNone = "Let it hear what it should not name: the room, other noises. What sounds like that is then unknown."
	t.Class.Drop = "You can also drop recordings here."

	n := &t.Notice
	n.StartCamera = "Start microphone"
	n.CameraOff = "The microphone is off"
	n.CameraOffRemedy = "Start it to record examples, or add recordings from files."
	n.NotPicture = func(name string) string { return name + " could not be used as a recording" }
	n.NotPictures = func(names string) string { return names + " could not be used as recordings" }
	n.UsePictures = "Choose a recording: MP3 or WAV."
	n.OthersAdded = "The other recordings were added."
	n.OrFiles = "You can also add recordings from files."
	n.CameraDenied = "The microphone is not allowed"
	n.CameraDeniedRemedy = "Allow it with the microphone sign in the address bar or in the browser's settings, then start it again."
	n.CameraMissing = "No microphone was found"
	n.CameraTaken = "The microphone is in use"
	n.CameraTakenRemedy = "Another program or tab is using it: close that one, then start the microphone again."
	n.CameraInsecure = "The browser allows no microphone at this address"
	n.CameraInsecureText = "Microphones work only at https addresses and at localhost: open the page there."
	n.CameraGone = "The microphone is gone"
	n.CameraFailed = "The microphone did not start"
	n.CameraFailedRemedy = "Try again, or choose another microphone."

	g := &t.Guide
	g.Show = "Start the microphone."
	g.Hold = "Hold the button of a class and make the sound. A few examples are enough."

	t.Page.Slogan = "Let it hear a few examples. It tells them apart."
	t.Page.Private = "Your sounds stay on this device. Your browser does all the work, and sends nothing."
	t.Project.ShareNote = "Files contain the spectrograms of your examples, not the sounds themselves."
	t.Bring.NoExamples = "There are no examples in it: give each class a folder with its recordings (WAV, MP3)."
	t.Share.Insecure = "Browsers give no microphone to pages at http addresses. Use https."
	t.Share.Pictures = "Everybody who can open your page can get the spectrograms of your examples, as they are in the file."

	t.Setup.FastNote = "Listens to the sound once."
	t.Setup.Embedder = "Parts of a sound"
	t.Setup.Cross = "by how similar it is to the other sound"

	i := &t.Improve
	i.TwinsTip = "Make the sound in another way or from elsewhere while you record: the page learns more from different examples."
	i.Histogram = "How familiar sounds are: your own examples, each left out, and unknown things"
	i.TestNote = "Choose a folder of new recordings. In it, each class has a folder with its name. Other folders count as unknown."
	i.NotProto = "Learning begins with the “mean of the examples”: choose in the settings that sounds are compared with it."
	i.NothingTip = "This sounds like “Nothing of these”"
	i.NothingHint = "Does another noise pass for one of your classes? Give it as an example of “Nothing of these”."
	i.Accuracy = func(percent string, right, all int) string {
		return percent + " right: " + strconv.Itoa(right) + " of " + counted(all, "1 recording", "# recordings")
	}
	i.Broken = func(n int) string {
		return counted(n, "1 file is not a recording that can be used", "# files are not recordings that can be used")
	}
	i.NoFolders = "Choose a folder that holds a folder of recordings for each class."

	th := &t.Then
	th.Note = "Choose what happens when the page hears something."
	th.Hold = "When it is heard for"
	th.Row = func(c string) string { return "When " + c + " is heard" }
	th.CntTip = "Count how often it is heard"
	th.Counted = func(n int) string {
		if n == 0 {
			return "not heard yet"
		}
		return counted(n, "heard once", "heard # times")
	}
	th.Strip = "What was heard in the last minute"
	th.LastedN = func(c, seconds string, times int) string {
		return c + " " + seconds + " s, " + counted(times, "heard once", "heard # times")
	}
	th.NoLog = "Nothing is written down yet: start the microphone."
	th.CSVSeen = "heard"

	w := &t.Why
	w.Waiting = "Once there are examples, you see here which part of the sound, in time and frequency, matches which part of an example."
	w.Nothing = "Start the microphone or test a recording. Then you see here which part of it, in time and frequency, matches which part of an example."
	w.Legend = "Time runs to the right, high notes are on top. Each line joins two similar parts. The thicker the line, the more of the match it is. The brighter, the more its part counts."
	w.Picture = "Sound"
	w.PictureBuilt = "The sound, built from parts of the example"
	w.ExampleBuilt = "The example, built from parts of the sound"
	w.BuiltNote = "In place of each part stands the part of the other spectrogram that matches it best. The brighter, the more it counts."
	w.TableNote = "A row for each part of the sound, a column for each part of the example. The stronger the colour, the more of the match this pair is."
}
