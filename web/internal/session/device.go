package session

import "github.com/deepemd/deepemd/web/internal/texts"

// DeviceState is how far the page is at home on this device.
type DeviceState struct {
	Kept        bool // it works without a network
	Installable bool // the browser offers to install it like a program
}

// Device returns how far the page is at home on this device.
func (s *Session) Device() DeviceState {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.device
}

// DeviceChanged reports how far the page is at home on this device.
func (s *Session) DeviceChanged(state DeviceState) {
	s.update(func() { s.device = state }, OnDevice)
}

// UpdateReady reports that a newer version of the page has been fetched: it can
// take over when the person likes.
func (s *Session) UpdateReady() {
	s.post(Notice{
		Key: noticeUpdate, Kind: News, Action: ActionReload,
		say: func(t *texts.Texts) (title, text string) { return t.Notice.Update, t.Notice.UpdateText },
	})
}
