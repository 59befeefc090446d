package browser

import (
	"syscall/js"

	"github.com/deepemd/deepemd/web/internal/session"
)

// device says what boot.js knows of the page as a program on the device.
func device() js.Value { return js.Global().Get("device") }

// connectInstallation tells the session how far the page is at home on the device, and
// when a newer version of it is there.
func connectInstallation(s *session.Session) {
	announced := false
	changed := func(js.Value, []js.Value) any {
		d := device()
		s.Installation.Changed(session.InstallationState{Kept: d.Get("kept").Bool(), Installable: d.Get("installable").Bool()})
		if d.Get("updated").Bool() && !announced {
			announced = true
			s.Installation.UpdateReady()
		}
		return nil
	}
	device().Set("onchange", js.FuncOf(changed))
	changed(js.Undefined(), nil)
}

// Reload loads the page again, in its new version.
func Reload() { device().Call("reload") }

// Install has the browser ask whether to install the page.
func Install() { device().Call("install") }
