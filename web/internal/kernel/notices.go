package kernel

import (
	"slices"
	"time"

	"github.com/deepemd/deepemd/web/internal/texts"
)

// Kind is the severity of a notice; the page shows it by the style of the same name.
type Kind string

// The kinds of notices.
const (
	Good    Kind = "good"    // a problem is solved; disappears by itself
	News    Kind = "news"    // information
	Warning Kind = "warning" // an action failed; nothing is lost
	Trouble Kind = "trouble" // the page needs the user
)

// Offer is the button of a notice.
type Offer struct {
	Text  func(*texts.Texts) string
	Do    func()
	Focus string // optional: the class whose capture button gets the focus afterwards
}

// Durations of notices that disappear by themselves.
const (
	goodLasts = 8 * time.Second
	UndoLasts = 20 * time.Second // enough to see the notice, decide and reach the button
)

// Notice is a message to the user: the event and the remedy.
type Notice struct {
	Key      string // a later notice of the same key replaces it
	Kind     Kind
	Title    string
	Text     string
	Detail   string        // the error message in English, for experts
	Examples []string      // shown as pictures
	Button   string        // text of the offer's button; "" without an offer
	Offer    *Offer        // optional
	Lasts    time.Duration // until it disappears by itself; 0 for never
	number   int
	Say      func(*texts.Texts) (title, text string) // fills Title and Text; without a title the notice is hidden
}

// Warn returns a warning about an error, which may be nil.
func Warn(key string, err error, say func(*texts.Texts) (title, text string)) Notice {
	return Notice{Key: key, Kind: Warning, Detail: Detail(err), Say: say}
}

// Tell returns news. The offer is optional.
func Tell(key string, offer *Offer, say func(*texts.Texts) (title, text string)) Notice {
	return Notice{Key: key, Kind: News, Offer: offer, Say: say}
}

// in returns the notice in a language.
func (n Notice) in(t *texts.Texts) Notice {
	n.Title, n.Text = n.Say(t)
	if n.Offer != nil {
		n.Button = n.Offer.Text(t)
	}
	return n
}

// Notices holds the notices, oldest first.
type Notices struct {
	Part
	list []Notice
	last int // the latest number
}

// List returns the notices in the page's language, oldest first.
func (n *Notices) List() []Notice {
	t := n.K.Texts()
	n.Lock()
	defer n.Unlock()
	list := slices.Clone(n.list)
	for i := range list {
		list[i] = list[i].in(t)
		list[i].Say = nil // so that lists are comparable
	}
	return slices.DeleteFunc(list, func(o Notice) bool { return o.Title == "" })
}

// Dismiss removes a notice.
func (n *Notices) Dismiss(key string) {
	n.drop(func(o Notice) bool { return o.Key == key })
}

// Has reports whether there is a notice.
func (n *Notices) Has(key string) bool {
	n.Lock()
	defer n.Unlock()
	return slices.ContainsFunc(n.list, func(o Notice) bool { return o.Key == key })
}

// Stay keeps a notice that would disappear by itself: the user is in it.
func (n *Notices) Stay(key string) {
	n.Update(func() {
		for i := range n.list {
			if n.list[i].Key == key {
				n.list[i].number = 0
			}
		}
	})
}

func (n *Notices) drop(which func(Notice) bool) {
	n.Update(func() { n.list = slices.DeleteFunc(slices.Clone(n.list), which) })
}

// Post shows a notice.
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

// Trouble reports an error of the engine, unless its crash was reported already or the error is
// temporary.
func (n *Notices) Trouble(err error) {
	switch CodeOf(err) {
	case CodeCrashed, CodeEmpty, CodeUnknown:
	default:
		n.Post(Warn(NoticeEngine, err, func(t *texts.Texts) (title, text string) { return t.Notice.EngineTrouble, Reason(t, err) }))
	}
}
