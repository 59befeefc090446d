package network

// The networks' names, as their files say them: for programs that name a network without
// carrying it.
const (
	ResNet12S     = "resnet12-s"
	ResNet12XS    = "resnet12-xs"
	ResNet12Sound = "resnet12-sound"
)

// Ending is what the name of a network's file has behind the network's.
const Ending = ".safetensors"
