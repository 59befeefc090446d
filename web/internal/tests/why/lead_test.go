//go:build !js

package why_test

import (
	"fmt"
	"testing"

	"github.com/deepemd/deepemd/core/answer"
	"github.com/deepemd/deepemd/internal/browsertest"
	reasons "github.com/deepemd/deepemd/web/internal/feature/why"
	"github.com/deepemd/deepemd/web/internal/kernel"
	"github.com/deepemd/deepemd/web/internal/studiotest"
	"github.com/deepemd/deepemd/web/internal/texts"
)

// If the classifier has a learned head, the page shows the evidence of head and match for the class
// compared with the runner-up, and in a comparison with the other class, as two bars. One
// example per class is enough.
func TestWhyWithAHead(t *testing.T) {
	s := open(t, browsertest.Options{})
	s.Ready()
	s.OpenDialog("#open-settings", "#settings")
	s.CloseDialog("#settings")
	s.Eval(`const e = document.querySelector("#classifier"); e.value = "mixture"; e.dispatchEvent(new Event("change", { bubbles: true }))`)
	teach := func(from, to int) {
		for i, thing := range studiotest.Things[:2] {
			s.Give(i+1, studiotest.Photographs(t, thing.Wordnet, from, to)...)
			s.WaitCount(studiotest.Card(i+1)+" .thumbnail", to)
		}
	}
	for i, thing := range studiotest.Things[:2] {
		s.Name(i+1, thing.Name)
	}
	teach(0, 1)
	s.Upload("#test-picture", studiotest.Photographs(t, studiotest.Things[1].Wordnet, 20, 21)...)
	s.WaitFor(`document.querySelector(".why .lead p")`)
	teach(1, 4)
	s.WaitFor(`document.querySelector(".why .lead p")`)

	// The page asks again while examples are embedded; in the end it agrees with the engine.
	w, want, lead := texts.In("en"), "", (*reasons.Lead)(nil)
	browsertest.Until(t, "the page says what the engine says of a koala", func() bool {
		match := kernel.Match{Explanation: &answer.Explanation{ClassID: "2"}}
		for i, share := range browsertest.Eval[[][2]float64](s.Browser, `studio.engine.then(async (e) => (await e.explain()).head.map((h) => [h.match, h.head]))`) {
			match.Head = append(match.Head, answer.Shares{ClassID: fmt.Sprint(i + 1), Match: share[0], Head: share[1]})
		}
		if lead = reasons.LeadOf(&match); lead != nil && lead.Class == "2" && lead.Match > 0 && lead.Head > lead.Match/4 {
			share := lead.Match / (lead.Match + lead.Head)
			want = w.Why.LeadByBoth("Koala", "Teapot", w.Percent(share), w.Percent(1-share))
		}
		return want != "" && s.Text(".why .lead p") == want
	})
	s.Shot("why-lead")
	bars := browsertest.Eval[[]float64](s.Browser, `Array.from(document.querySelectorAll(".why .pull .fill"), (m) => Number(m.ariaValueNow))`)
	most := max(lead.Match, lead.Head)
	for i, want := range []float64{lead.Match / most, 0, lead.Head / most, 0} {
		if len(bars) != 4 || bars[i] < want-1e-3 || bars[i] > want+1e-3 {
			t.Errorf("the bars are %v, want %v as number %d", bars, want, i)
		}
	}
	s.Click("#closer")
	s.WaitFor(`document.querySelector("#comparison .lead p")`)
	s.Click(".compare .class:nth-child(2)")
	s.WaitFor(`document.querySelector(".closer:not(.waiting) .compare .class:nth-child(2)[aria-pressed=true]")`)
	if got := s.Text("#comparison .lead p"); got != want {
		t.Errorf("why not the other: %q, want %q", got, want)
	}

	// A long name does not make a phone scroll sideways.
	s.CloseDialog("#comparison")
	s.Name(2, "Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichen")
	s.Keys("\t")
	s.WaitFor(`document.querySelector(".why .lead p").innerText.includes("Donau")`)
	s.Phone(375, 800)
	const fits = `document.querySelector(%q).scrollWidth <= 375`
	s.WaitFor(fmt.Sprintf(fits, "html"))
	s.Click("#closer")
	s.WaitFor(`document.querySelector("#comparison .figures figcaption")`)
	s.WaitFor(fmt.Sprintf(fits, "#comparison"))
	s.Quiet()
}
