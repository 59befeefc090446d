package texts

var englishThen = Then{
	Title:   "Then",
	Note:    "Choose what happens when the page sees something.",
	Show:    "Show what happens then",
	Hide:    "Hide what happens then",
	Waiting: "Give a class a few examples first.",
	Pause:   "Pause",
	Hold:    "When it is seen for",
	AtOnce:  "a moment",
	Seconds: func(n string) string {
		if n == "1" {
			return "1 second"
		}
		return n + " seconds"
	},

	Row:     func(c string) string { return "When " + c + " is seen" },
	Say:     "Speak",
	SayTip:  "Say the name aloud",
	Sound:   "Sound",
	SndTip:  "Play a sound",
	Look:    "Picture",
	LookTip: "Show a picture or an emoji on the stage",
	Count:   "Count",
	CntTip:  "Count how often it is seen",
	Send:    "Web page",
	SendTip: "Tell the web page that this one is part of",
	Wire:    "Device",
	WireTip: "Send a line of text to a device on a cable, such as a microcontroller",
	Try:     func(c string) string { return "Try " + c },

	Tone:     "Sound",
	Tones:    Tones{"Bell", "Up", "Down", "Drum", "Buzzer", "Fanfare"},
	OwnSound: "Your own sound",
	AddSound: "Sound file",
	Text:     func(c string) string { return "Emoji or word for " + c },
	Signs:    "Emoji to choose from",
	AddImage: "Picture file",
	OwnImage: "Your own picture",
	NoImage:  "Emoji instead",
	Counted: func(n int) string {
		if n == 0 {
			return "not seen yet"
		}
		return counted(n, "seen once", "seen # times")
	},
	Reset: "Start at 0",
	Line:  func(c string) string { return "Line that the device gets for " + c },

	Connect:    "Connect a device",
	Connecting: "Waiting for the device",
	Connected:  "The device is connected.",
	Disconnect: "Disconnect",
	Speed:      "Speed, in bits a second",

	Log:      "Log",
	LogNote:  "Write down every answer while this is on. It stays on this device.",
	KeepLog:  "Keep a log",
	SaveLog:  "Save as a table (CSV)",
	ClearLog: "Clear",
	LogName:  func(project string) string { return project + " log" },
	Entries:  func(n int) string { return counted(n, "1 line", "# lines") },
	Strip:    "What was seen in the last minute",
	Lasted:   func(c, seconds string) string { return c + " " + seconds + " s" },
	LastedN: func(c, seconds string, times int) string {
		return c + " " + seconds + " s, " + counted(times, "seen once", "seen # times")
	},
	Minute: func(list string) string { return "The last minute: " + list + "." },
	NoLog:  "Nothing is written down yet: start the camera.",

	CSVTime:        "time",
	CSVSeconds:     "seconds",
	CSVAnswer:      "answer",
	CSVProbability: "probability",
	CSVSeen:        "seen",

	NoVoice:        "This device has no voice for English",
	NoVoiceRemedy:  "Install one in the settings of the device. The page uses no voices that speak through the internet.",
	NoDevice:       "The device cannot be reached",
	NoDeviceRemedy: "Check the cable, close other programs that use the device, and connect it again.",
	NotMedium:      func(file string) string { return file + " cannot be used" },
	TooLarge:       "The file is too large: take one of up to 20 MB.",
	BadMedium:      "The browser cannot read it: take a picture such as PNG or JPEG, or a sound such as MP3 or WAV.",
	Failed:         "Something did not happen",
}
