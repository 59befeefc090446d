package install

import (
	"syscall/js"

	"github.com/deepemd/deepemd/web/internal/browser"
)

// connect reports the installation, and new versions of the page.
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

// install lets the browser offer to install the page.
func install() { browser.Device.Call("install") }
