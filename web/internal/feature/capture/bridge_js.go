package capture

import (
	"encoding/json"
	"syscall/js"

	"github.com/deepemd/deepemd/web/internal/browser"
)

// storageKey is the key of the settings in the browser's storage.
const storageKey = "deepemd-capture"

type browserShutter struct{}

// connect connects the browser's shutter with the settings of earlier visits.
func (c *Capture) connect() {
	settings := Usual
	if text := browser.Window.Get("localStorage").Call("getItem", storageKey); text.Type() == js.TypeString {
		if json.Unmarshal([]byte(text.String()), &settings) != nil {
			settings = Usual
		}
	}
	c.Connect(browserShutter{}, settings)
}

func (browserShutter) Remember(settings Settings) {
	text, _ := json.Marshal(settings) // numbers always have a JSON form
	browser.Remember(storageKey, string(text))
}

// Beep implements [Shutter]: see tones.js.
func (browserShutter) Beep(start bool) {
	tone := "end"
	if start {
		tone = "start"
	}
	browser.Studio.Call("beep", tone)
}
