package texts

var englishStage = Stage{
	Tools: "Camera tools",

	Frame:     "Choose the frame",
	FrameHelp: "Drag the picture to move it. Pinch, or turn the wheel, to zoom. Keys: arrows, + and −.",
	Zoom:      "Zoom",
	Times:     func(number string) string { return number + " ×" },
	Mirror:    "Mirror",
	Whole:     "Reset",
	Done:      "Done",
}
