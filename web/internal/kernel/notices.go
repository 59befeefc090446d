package kernel

import (
	"slices"
	"time"

	"github.com/deepemd/deepemd/web/internal/texts"
)

// Kind is how bad a notice is.
type Kind int

// The kinds of notices.
const (
	Good    Kind = iota // something is well again; goes away by itself
	News                // something to know; there is no hurry
	Warning             // something did not work; nothing is lost
	Trouble             // the page cannot go on without the person
)

// Offer is the button of a notice.
type Offer struct {
	Text  func(*texts.Texts) string
	Do    func()
	Focus string // optional: the class whose capture button gets the focus afterwards
}

// How long notices stay that disappear by themselves.
const (
	goodLasts = 8 * time.Second
	UndoLasts = 20 * time.Second // enough to see the notice, decide and reach the button
)

// Notice is a message for the person: what happened, and the remedy.
type Notice struct {
	Key      string // a later notice with the same key takes its place
	Kind     Kind
	Title    string
	Text     string
	Detail   string        // the program's own words, in English, where they may help an expert
	Examples []string      // shown as pictures
	Button   string        // text of the offer's button; "" without an offer
	Offer    *Offer        // optional
	Lasts    time.Duration // after which it goes away by itself; for ever if 0
	number   int
	Say      func(*texts.Texts) (title, text string) // fills Title and Text
}

// in returns the notice in the given language.
func (n Notice) in(t *texts.Texts) Notice {
	n.Title, n.Text = n.Say(t)
	if n.Offer != nil {
		n.Button = n.Offer.Text(t)
	}
	return n
}

// Notices are what the person is told, oldest first.
type Notices struct {
	Part
	list []Notice
	last int // number of the latest
}

// List returns the notices in the language of the page, oldest first.
func (n *Notices) List() []Notice {
	t := n.K.Texts()
	n.Lock()
	defer n.Unlock()
	list := slices.Clone(n.list)
	for i := range list {
		list[i] = list[i].in(t)
		list[i].Say = nil // so that two lists can be compared
	}
	return list
}

// Dismiss takes a notice away.
func (n *Notices) Dismiss(key string) {
	n.drop(func(o Notice) bool { return o.Key == key })
}

// Has reports whether a notice is shown.
func (n *Notices) Has(key string) bool {
	n.Lock()
	defer n.Unlock()
	return slices.ContainsFunc(n.list, func(o Notice) bool { return o.Key == key })
}

// drop takes notices away.
func (n *Notices) drop(which func(Notice) bool) {
	n.Update(func() { n.list = slices.DeleteFunc(slices.Clone(n.list), which) })
}

// Post shows a notice in place of an earlier one with the same key. Good news goes
// away by itself.
func (n *Notices) Post(notice Notice) {
	if notice.Kind == Good {
		notice.Lasts = goodLasts
	}
	n.Update(func() {
		n.last++
		notice.number = n.last
		if i := slices.IndexFunc(n.list, func(o Notice) bool { return o.Key == notice.Key }); i >= 0 {
			n.list[i] = notice
		} else {
			n.list = append(n.list, notice)
		}
	})
	if notice.Lasts > 0 {
		time.AfterFunc(notice.Lasts, func() {
			n.drop(func(o Notice) bool { return o.number == notice.number })
		})
	}
}

// Trouble tells the person about an error of the engine, unless its crash has been
// reported already or the error is only a matter of time.
func (n *Notices) Trouble(err error) {
	switch CodeOf(err) {
	case CodeCrashed, CodeEmpty, CodeUnknown:
	default:
		n.Post(engineTrouble(err))
	}
}
