package kernel

import (
	"time"

	"github.com/deepemd/deepemd/core/network"
	"github.com/deepemd/deepemd/web/internal/texts"
)

// Supplied is which of the networks that come with the page is used: the usual one, or a
// small one for slow devices.
type Supplied struct {
	Offered bool // there is a small one
	Small   bool // it recognises things, unless there is a network of the person's own
	Chosen  bool // this was found out by measuring or chosen, and is kept on the device
}

// Supply says which of the page's networks the engine is started with, before Ready.
func (n *Network) Supply(supplied Supplied) {
	n.Update(func() { n.state.Supplied = supplied })
}

// UseSupplied has one of the page's networks recognise things, the small one or the usual
// one, in this visit and in later ones.
func (n *Network) UseSupplied(small bool) {
	n.Cancel()
	n.K.Notices.Dismiss(noticeNetwork)
	go func() {
		n.turn.Lock()
		defer n.turn.Unlock()
		if state := n.State(); state.Own != nil || !state.Supplied.Offered || state.Supplied.Small == small {
			return
		}
		if err := n.supply(small); err != nil && CodeOf(err) != CodeStopped {
			n.Update(func() {
				n.state.Trial = &NetworkTrial{File: suppliedName(small), Stage: TrialRefused, Err: err}
			})
		}
	}()
}

// supply changes to one of the page's networks. The turn is the caller's.
func (n *Network) supply(small bool) error {
	n.Update(func() { n.state.Changing = true })
	err := n.K.Setup.ChangeNetwork(Weights{Small: small, Change: true})
	n.Update(func() {
		n.state.Changing = false
		n.pace = pace{}
		if err == nil {
			n.state.Supplied.Small, n.state.Supplied.Chosen = small, true
		}
	})
	if err == nil {
		n.networks.Prefer(small)
	}
	return err
}

func suppliedName(small bool) string {
	if small {
		return network.ResNet12XS
	}
	return network.ResNet12S
}

// offerFor offers the network that a project was trained with if it is the page's other one;
// nil otherwise.
func (n *Network) offerFor(made string) *Offer {
	s := n.State()
	if s.Own != nil || !s.Supplied.Offered || made != suppliedName(!s.Supplied.Small) {
		return nil
	}
	return n.offer(!s.Supplied.Small)
}

// offer offers one of the page's networks.
func (n *Network) offer(small bool) *Offer {
	return &Offer{Do: func() { n.UseSupplied(small) }, Text: func(t *texts.Texts) string {
		if small {
			return t.Network.UseSmall
		}
		return t.Network.UseUsual
	}}
}

// A device is slow when half of the answers take longer than this: fewer than eight a second
// are no longer fluid. The time between an answer and the camera's next frame does not count.
const slowMillis = 1000. / 8

// The first live answers are not judged: the browser makes code faster while it runs, and
// what else begins with the page is done by then.
const (
	paceWarm   = 16
	paceJudged = 16
	paceBreak  = 2 * time.Second // between answers: the page was not looked at
)

// pace is how fast live answers come from the network in use.
type pace struct {
	seen, slow  int
	begin, last time.Time
}

// add takes note of an answer. Once there are enough, it says how many there are a second,
// and whether half of them are slow.
func (p *pace) add(now time.Time, millis float64) (perSecond float64, slow, judged bool) {
	if now.Sub(p.last) > paceBreak {
		*p = pace{}
	}
	p.last = now
	p.seen++
	switch {
	case p.seen == paceWarm:
		p.begin = now
	case p.seen > paceWarm && millis > slowMillis:
		p.slow++
	}
	if p.seen != paceWarm+paceJudged {
		return 0, false, false
	}
	return paceJudged / now.Sub(p.begin).Seconds(), 2*p.slow >= paceJudged, true
}

// paced takes note of a live answer that took some milliseconds. Where
// the device turns out to be slow, the small network takes over, unless the person has
// chosen otherwise or the project came with another network: then the page only offers it.
func (n *Network) paced(millis float64) {
	if ModeOf(n.K.Setup.Method()) != Fast { // who asks for several looks wants them
		return
	}
	n.Lock()
	perSecond, slow, judged := n.pace.add(time.Now(), millis)
	s := n.state
	able := judged && n.networks != nil && s.Supplied.Offered && s.Own == nil && !s.Changing
	before, made := n.before, n.made
	if able && s.Supplied.Small {
		n.before = 0
	}
	n.Unlock()
	switch {
	case !able || !slow && !s.Supplied.Small:
	case s.Supplied.Small:
		if before > 0 && n.K.Notices.Has(noticeNetwork) {
			n.K.Notices.Post(n.slowDevice(before, perSecond))
		}
	case s.Supplied.Chosen || s.Unused:
	case made != "":
		n.Update(func() { n.state.Supplied.Chosen = true }) // It is said once.
		n.K.Notices.Post(n.slowForProject(perSecond, made))
	default:
		go n.spare(perSecond)
	}
}

// spare has the small network take over from the usual one, which gives so many answers a
// second, and says so. Where it cannot be had, all stays.
func (n *Network) spare(perSecond float64) {
	n.turn.Lock()
	defer n.turn.Unlock()
	if s := n.State(); s.Own != nil || s.Supplied.Chosen {
		return
	}
	if err := n.supply(true); err != nil {
		n.Update(func() { n.state.Supplied.Chosen = true }) // in this visit
		return
	}
	n.Update(func() { n.before = perSecond })
	n.K.Notices.Post(n.slowDevice(perSecond, 0))
}

// slowDevice says that the small network has taken over: how many answers a second there
// were, and are; 0 where that is not known yet.
func (n *Network) slowDevice(before, now float64) Notice {
	return Notice{
		Key: noticeNetwork, Kind: News, Offer: n.offer(false),
		Say: func(t *texts.Texts) (title, text string) {
			rate := t.Network.SlowBefore(t.PerSecond(before))
			if now > 0 {
				rate = t.Network.SlowNow(t.PerSecond(now), t.PerSecond(before))
			}
			return t.Network.Slow, Paragraph(rate, t.Network.SlowText)
		},
	}
}

// slowForProject offers the small network to a project that was taught with another.
func (n *Network) slowForProject(perSecond float64, made string) Notice {
	return Notice{
		Key: noticeNetwork, Kind: News, Offer: n.offer(true),
		Say: func(t *texts.Texts) (title, text string) {
			return t.Network.SlowProject(t.PerSecond(perSecond)), t.Network.SlowProjectText(made)
		},
	}
}
