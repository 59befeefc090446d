package network

import (
	"time"

	"github.com/deepemd/deepemd/core/network"
	"github.com/deepemd/deepemd/web/internal/kernel"
	"github.com/deepemd/deepemd/web/internal/texts"
)

// Supplied describes the page's networks: the usual one, and a small one for slow devices.
type Supplied struct {
	Offered bool // there is a small one
	Small   bool // it is in use, unless the user has an own network
	Chosen  bool // measured or chosen: the device remembers it
}

// Supply sets which of the page's networks the engine starts with. It is called before Ready.
func (n *Network) Supply(supplied Supplied) {
	n.K.Setup.SetWeights(suppliedWeights(supplied.Small))
	n.Update(func() { n.state.Supplied = supplied })
}

// UseSupplied changes to the small network of the page, if one is offered, or to the usual one, in
// this visit and in later ones. The user's own network stays.
func (n *Network) UseSupplied(small bool) {
	n.Cancel()
	n.K.Notices.Dismiss(noticeNetwork)
	go func() {
		n.turn.Lock()
		defer n.turn.Unlock()
		if w := n.K.Setup.Weights(); w.Own != nil || w == suppliedWeights(small) {
			return
		}
		if err := n.supply(small); err != nil && kernel.CodeOf(err) != kernel.CodeStopped {
			n.Update(func() {
				n.state.Trial = &Trial{File: suppliedName(small), Stage: TrialRefused, Err: err}
			})
		}
	}()
}

// supply changes to one of the page's networks. The caller holds turn.
func (n *Network) supply(small bool) error {
	n.Update(func() { n.state.Changing = true })
	err := n.K.Setup.ChangeNetwork(suppliedWeights(small))
	n.Update(func() {
		n.state.Changing = false
		n.pace = rateMeter{}
		if err == nil {
			n.state.Supplied.Chosen = true
		}
	})
	if err == nil {
		n.device.Prefer(small)
	}
	return err
}

func suppliedWeights(small bool) kernel.Weights {
	if small {
		return kernel.Weights{Supplied: kernel.Small}
	}
	return kernel.Weights{Supplied: kernel.Usual}
}

func suppliedName(small bool) string {
	if small {
		return network.ResNet12XS
	}
	return network.ResNet12Photo
}

func (n *Network) offer(small bool) *kernel.Offer {
	return &kernel.Offer{Do: func() { n.UseSupplied(small) }, Text: func(t *texts.Texts) string {
		if small {
			return t.Network.UseSmall
		}
		return t.Network.UseUsual
	}}
}

// slowMillis is the time in milliseconds above which an answer is slow: fewer than eight a second
// are not fluid. It does not include the time between an answer and the camera's next frame.
const slowMillis = 1000. / 8

// The first live answers do not count: the browser still compiles code, and the page still loads.
const (
	paceWarm   = 16
	paceJudged = 16
	paceBreak  = 2 * time.Second // a longer break between answers means that the page was hidden
)

// rateMeter measures the rate of live answers.
type rateMeter struct {
	seen, slow  int
	begin, last time.Time
}

// add counts an answer. Once there are enough, judged is true, perSecond is their rate, and slow
// reports whether half of them are slow.
func (p *rateMeter) add(now time.Time, millis float64) (perSecond float64, slow, judged bool) {
	if now.Sub(p.last) > paceBreak {
		*p = rateMeter{}
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

// answered measures a live answer. On a slow device the small network takes over, unless the
// user chose otherwise. If another network trained the project, the page only offers the small one.
func (n *Network) answered(millis float64) {
	if kernel.ModeOf(n.K.Setup.Method()) != kernel.Fast { // other modes are slow by choice
		return
	}
	s, made := n.State(), n.K.Project.Made()
	n.Lock()
	perSecond, slow, judged := n.pace.add(time.Now(), millis)
	able := judged && n.device != nil && s.Supplied.Offered && s.Own == nil && !s.Changing
	before := n.before
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
	case made != nil && made.Fingerprint != "":
		n.Update(func() { n.state.Supplied.Chosen = true })
		n.K.Notices.Post(kernel.Tell(noticeNetwork, n.offer(true), func(t *texts.Texts) (title, text string) {
			return t.Network.SlowProject(t.PerSecond(perSecond)), t.Network.SlowProjectText(made.Name)
		}))
	default:
		go n.useSmall(perSecond)
	}
}

// useSmall changes to the small network and posts a notice with the rate of the usual one. If the
// small one cannot be loaded, the usual one stays.
func (n *Network) useSmall(perSecond float64) {
	n.turn.Lock()
	defer n.turn.Unlock()
	if s := n.State(); s.Own != nil || s.Supplied.Chosen {
		return
	}
	if err := n.supply(true); err != nil {
		n.Update(func() { n.state.Supplied.Chosen = true })
		return
	}
	n.Update(func() { n.before = perSecond })
	n.K.Notices.Post(n.slowDevice(perSecond, 0))
}

// slowDevice reports that the small network has taken over, with the answers per second before
// and after; now is 0 until it is measured.
func (n *Network) slowDevice(before, now float64) kernel.Notice {
	return kernel.Tell(noticeNetwork, n.offer(false), func(t *texts.Texts) (title, text string) {
		rate := t.Network.SlowBefore(t.PerSecond(before))
		if now > 0 {
			rate = t.Network.SlowNow(t.PerSecond(now), t.PerSecond(before))
		}
		return t.Network.Slow, kernel.Paragraph(rate, t.Network.SlowText)
	})
}
