package texts

import "strconv"

var englishStage = Stage{
	Tools: "Camera tools",

	Frame:     "Choose the frame",
	FrameHelp: "Drag the picture to move it. Pinch, or turn the wheel, to zoom. Keys: arrows, + and −.",
	Zoom:      "Zoom",
	Times:     func(number string) string { return number + " ×" },
	Mirror:    "Mirror",
	Whole:     "Reset",
	Done:      "Done",

	Recording:     "Recording",
	How:           "How to record",
	ByHolding:     "Hold the button",
	HandsFree:     "Hands-free",
	HandsFreeHelp: "Click the button of a class, step back, and show the camera what you like with both hands.",
	PerSecond:     "Pictures a second",
	Countdown:     "Countdown",
	NoCountdown:   "None",
	Duration:      "Duration",
	Seconds:       func(n int) string { return strconv.Itoa(n) + " s" },
	Beep:          "Beep at start and end",
	Close:         "Close",
	Record:        "Record",
	RecordTitle:   "Record examples from the camera after a countdown",
	StopRecording: "Stop",
	BeginsIn:      func(c string, n int) string { return c + ": recording in " + counted(n, "one second", "# seconds") },
	Records:       func(c string) string { return "Recording " + c },
	Recorded:      func(c string, n int) string { return c + ": " + counted(n, "one new picture", "# new pictures") },

	Where:      "Show where",
	WhereTitle: "Show where in the picture the evidence lies: the parts that glow speak for the answer",

	Empty:      "Show the empty scene",
	EmptyTitle: "Nothing here: show the empty scene. What looks like it is then unknown.",
}
