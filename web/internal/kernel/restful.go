package kernel

import "time"

// busy reports whether the engine does what a person waits for: it is loaded to embed
// examples, embeds them, or looks at the picture that is shown. A slow device does one thing
// at a time.
func (k *Kernel) busy() bool {
	return k.Engine.busy() || k.Live.looks()
}

// restful returns once it is no longer busy, which it looks at every so often, or at the latest
// after a while.
func restful(busy func() bool, often, latest time.Duration) {
	for waited := time.Duration(0); waited < latest && busy(); waited += often {
		time.Sleep(often)
	}
}
