package browsertest

import (
	"iter"
	"slices"
	"strings"

	"github.com/chromedp/chromedp"
)

func (b *Browser) readConsole(messages iter.Seq2[chromedp.ConsoleMessage, error]) {
	for m, err := range messages {
		if err != nil {
			return // the browser has ended
		}
		b.mu.Lock()
		b.console = append(b.console, m)
		b.mu.Unlock()
	}
}

// Console returns what the page wrote to the console so far.
func (b *Browser) Console() []chromedp.ConsoleMessage {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.console)
}

// Requests returns the addresses that the page itself asked for so far; its
// workers' requests are not among them.
func (b *Browser) Requests() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.requests)
}

// Outside returns the hosts other than this machine that anything in the
// browser tried to reach, workers included. The tries failed.
func (b *Browser) Outside() []string { return b.proxy.Noted() }

// NoProblems fails the test if the page wrote an error to the console, threw,
// or tried to reach another machine. Messages that contain one of the given
// texts are expected.
func (b *Browser) NoProblems(expected ...string) {
	b.t.Helper()
	for _, m := range b.Console() {
		isExpected := slices.ContainsFunc(expected, func(text string) bool { return strings.Contains(m.Text, text) })
		if (m.Type == chromedp.ConsoleError || m.IsException()) && !isExpected {
			b.t.Errorf("the page reports %s (%s:%d)", m, m.URL, m.Line+1)
		}
	}
	for _, host := range b.Outside() {
		b.t.Errorf("the page tried to reach %s", host)
	}
}

// explain shows the console of a test that failed.
func (b *Browser) explain() {
	if !b.t.Failed() {
		return
	}
	for _, m := range b.Console() {
		b.t.Logf("console: %s (%s:%d)", m, m.URL, m.Line+1)
	}
}
