// Package install is the feature that installs the page as an app and reports whether it works
// offline.
package install

import (
	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"github.com/deepemd/deepemd/web/internal/browser"
	"github.com/deepemd/deepemd/web/internal/kernel"
	"github.com/deepemd/deepemd/web/internal/texts"
	"github.com/deepemd/deepemd/web/internal/ui"
)

// Add adds the feature to a page.
func Add(k *kernel.Kernel, page *ui.Page) {
	i := &Installation{K: k}
	i.connect()
	page.Show(ui.Groups, ui.Follow(k, i.view, i))
}

// Installation is the page as an app on this device.
type Installation struct {
	kernel.Part
	state State
}

// State is the state of the installation.
type State struct {
	Kept        bool // it works offline
	Installable bool // the browser offers to install it
}

// State returns the state of the installation.
func (i *Installation) State() State { return kernel.Get(&i.Part, &i.state) }

// Changed sets the state of the installation.
func (i *Installation) Changed(state State) { i.Update(func() { i.state = state }) }

// connect reports the installation, and new versions of the page.
func (i *Installation) connect() {
	announced := false
	changed := func([]browser.Value) {
		i.Changed(State{Kept: browser.Device.Get("kept").Bool(), Installable: browser.Device.Get("installable").Bool()})
		if browser.Device.Get("updated").Bool() && !announced {
			announced = true
			i.UpdateReady()
		}
	}
	browser.Device.Set("onchange", browser.Callback(changed))
	changed(nil)
}

// UpdateReady reports that a new version of the page was fetched, which a reload starts.
func (i *Installation) UpdateReady() {
	offer := &kernel.Offer{Text: func(t *texts.Texts) string { return t.Notice.Reload }, Do: func() { browser.Device.Call("reload") }}
	i.K.Notices.Post(kernel.Tell(kernel.NoticeUpdate, offer, func(t *texts.Texts) (title, text string) {
		return t.Notice.Update, t.Notice.UpdateText
	}))
}

// view reports whether the page works offline, and offers to install it if the browser can.
func (i *Installation) view() app.UI {
	t, state := &i.K.Texts().Settings, i.State()
	install := func() { browser.Device.Call("install") }
	text := t.NeedsNetwork
	if state.Kept {
		text = t.WithoutNetwork
	}
	return app.FieldSet().Body(
		app.Legend().Text(t.Device),
		app.P().Class("note").Text(text),
		app.If(state.Installable, ui.Button("plain", "install", ui.IconPlus, t.Install).OnClick(ui.Do(install))),
	)
}
