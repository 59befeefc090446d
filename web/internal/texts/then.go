package texts

// Then is the panel of what happens when a class is seen.
type Then struct {
	Title      string
	Note       string                 // under the title
	Show, Hide string                 // labels of the button that folds it
	Waiting    string                 // before the first example
	Pause      string                 // box to tick
	Hold       string                 // label of the list of times
	AtOnce     string                 // in that list
	Seconds    func(n float64) string `args:"n"`

	Row     func(class string) string `args:"class"` // label of a row
	Say     string                    // switches of a row, and what each does
	SayTip  string
	Sound   string
	SndTip  string
	Look    string
	LookTip string
	Count   string
	CntTip  string
	Send    string
	SendTip string
	Wire    string // to a device
	WireTip string
	Try     func(class string) string `args:"class"` // button

	Tone     string // label of the list of sounds
	Tones    Tones
	OwnSound string                    // in the list, once there is one
	AddSound string                    // button
	Text     func(class string) string `args:"class"` // label of the field: what is shown
	Signs    string                    // label of the emoji to choose from
	AddImage string                    // button
	OwnImage string                    // that a picture is shown
	NoImage  string                    // button: back to the sign
	Counted  func(n int) string        `args:"n"`
	Reset    string                    // button
	Line     func(class string) string `args:"class"` // label of the field: what a device is told

	Connect    string // button
	Connecting string
	Connected  string
	Disconnect string // button
	Speed      string // label of the list of speeds

	Log      string // heading
	LogNote  string
	KeepLog  string // box to tick
	SaveLog  string // buttons
	ClearLog string
	LogName  func(project string) string                   `args:"project" keeps:"name"` // name of the file
	Entries  func(n int) string                            `args:"n"`
	Strip    string                                        // label of the chart
	Lasted   func(class, seconds string) string            `args:"class seconds"`
	LastedN  func(class, seconds string, times int) string `args:"class seconds times"`
	Minute   func(list string) string                      `args:"list"` // what the last minute was, in words
	NoLog    string                                        // while the log is empty

	CSVTime, CSVSeconds, CSVAnswer, CSVProbability, CSVSeen string // heads of columns

	NoVoice        string // notices, and their remedies
	NoVoiceRemedy  string
	NoDevice       string
	NoDeviceRemedy string
	NotMedium      func(file string) string `args:"file"`
	TooLarge       string
	BadMedium      string
	Failed         string
}

// Tones are the sounds that come with the page.
type Tones struct{ Bell, Rise, Fall, Drum, Buzz, Fanfare string }
