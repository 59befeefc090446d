package install

import (
	"syscall/js"

	"github.com/deepemd/deepemd/web/internal/browser"
)

// connect tells how far the page is at home on the device, and
// when a newer version of it is there.
func (i *Installation) connect() {
	announced := false
	changed := func(js.Value, []js.Value) any {
		i.Changed(State{Kept: browser.Device.Get("kept").Bool(), Installable: browser.Device.Get("installable").Bool()})
		if browser.Device.Get("updated").Bool() && !announced {
			announced = true
			i.UpdateReady()
		}
		return nil
	}
	browser.Device.Set("onchange", js.FuncOf(changed))
	changed(js.Undefined(), nil)
}

// install has the browser ask whether to install the page.
func install() { browser.Device.Call("install") }
