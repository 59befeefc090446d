// Package install is the feature that tells whether the page works without a network, and
// installs it like a program.
package install

import (
	"github.com/deepemd/deepemd/web/internal/browser"
	"github.com/deepemd/deepemd/web/internal/kernel"
	"github.com/deepemd/deepemd/web/internal/texts"
)

// Installation is the page as a program on this device.
type Installation struct {
	kernel.Part
	state State
}

// State is how far the page is at home on this device.
type State struct {
	Kept        bool // it works without a network
	Installable bool // the browser offers to install it like a program
}

// State returns how far the page is at home on this device.
func (i *Installation) State() State {
	i.Lock()
	defer i.Unlock()
	return i.state
}

// Changed reports how far the page is at home on this device.
func (i *Installation) Changed(state State) {
	i.Update(func() { i.state = state })
}

// UpdateReady reports that a newer version of the page has been fetched: it can take
// over when the person likes.
func (i *Installation) UpdateReady() {
	i.K.Notices.Post(kernel.Notice{
		Key: kernel.NoticeUpdate, Kind: kernel.News,
		Offer: &kernel.Offer{Text: func(t *texts.Texts) string { return t.Notice.Reload }, Do: browser.Reload},
		Say:   func(t *texts.Texts) (title, text string) { return t.Notice.Update, t.Notice.UpdateText },
	})
}
