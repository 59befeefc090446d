package kernel

import "github.com/deepemd/deepemd/web/internal/texts"

// Installation is the page as a program on this device.
type Installation struct {
	Part
	state InstallationState
}

// InstallationState is how far the page is at home on this device.
type InstallationState struct {
	Kept        bool // it works without a network
	Installable bool // the browser offers to install it like a program
}

// State returns how far the page is at home on this device.
func (i *Installation) State() InstallationState {
	i.Lock()
	defer i.Unlock()
	return i.state
}

// Changed reports how far the page is at home on this device.
func (i *Installation) Changed(state InstallationState) {
	i.Update(func() { i.state = state })
}

// UpdateReady reports that a newer version of the page has been fetched: it can take
// over when the person likes.
func (i *Installation) UpdateReady() {
	i.K.Notices.Post(Notice{
		Key: NoticeUpdate, Kind: News, Action: ActionReload,
		Say: func(t *texts.Texts) (title, text string) { return t.Notice.Update, t.Notice.UpdateText },
	})
}
