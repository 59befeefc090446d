//go:build !js

package why_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/internal/browsertest"
	"github.com/deepemd/deepemd/web/internal/studiotest"
)

// whole is the condition that the curve is complete: the last column is for all examples.
const whole = `document.querySelector("#growth-says") && !document.querySelector(".growth .busy")`

// The user unfolds the curve, adds examples, and sees the new curve; the page answers during that.
func TestGrowth(t *testing.T) {
	s := studiotest.Open(t, browsertest.Options{})
	s.Ready()
	s.Click("#add-class")
	wordnets := []string{"n02165456", "n01882714", "n02123394"} // ladybird, koala, Persian cat
	for i, name := range []string{"ladybird", "koala", "Katze mit einem sehr langen Namen"} {
		s.Name(i+1, name)
		s.Give(i+1, studiotest.Photographs(t, wordnets[i], 0, []int{2, 2, 1}[i])...)
	}
	s.WaitCount(".thumbnail", 5)
	s.WaitFor(`document.querySelector(".improve .parts")`)
	if s.Count(".growth .found, .growth .note") != 0 || browsertest.Eval[string](s.Browser, `document.querySelector("#show-growth").ariaExpanded`) != "false" {
		t.Error("the picture is not folded at first")
	}
	s.Click("#show-growth")
	s.WaitFor(`/at least three/.test(document.querySelector(".growth .note")?.textContent)`)

	for i, wordnet := range wordnets {
		s.Give(i+1, studiotest.Photographs(t, wordnet, 2, []int{14, 12, 10}[i])...)
	}
	s.WaitFor(whole)
	s.WaitFor(`document.querySelectorAll(".thumbnail").length === 35 && document.querySelectorAll(".growth tbody tr").length === 4`)
	s.WaitFor(whole + ` && !document.querySelector(".improve > header .busy")`)

	type outcome struct {
		Says, Note string
		Head, All  []string
		Lines      int
		Hidden     bool
	}
	look := func() outcome {
		return browsertest.Eval[outcome](s.Browser, `(() => {
			const list = (selector) => [...document.querySelectorAll(selector)].map((e) => e.textContent);
			return {
				says: document.querySelector("#growth-says").textContent, note: document.querySelector(".confusion .note").textContent,
				head: list(".growth thead th").slice(1), all: list(".growth .every td"),
				lines: document.querySelectorAll(".growth svg .class").length, hidden: document.querySelector(".growth .chart").ariaHidden === "true",
			};
		})()`)
	}
	got := look()
	if want := "1 2 3 5 8 12 all"; strings.Join(got.Head, " ") != want || got.Lines != 3 || !got.Hidden {
		t.Errorf("%+v, want the columns %s and a line for each class", got, want)
	}
	// The last column and the sentence agree with the leave-one-out review.
	var right, all int
	if numbers := regexp.MustCompile(`\d+ of \d+`).FindString(got.Note); numbers == "" {
		t.Fatalf("the review says %q", got.Note)
	} else if _, err := fmt.Sscanf(numbers, "%d of %d", &right, &all); err != nil {
		t.Fatal(err)
	}
	percent := (200*right + all) / (2 * all)
	if last := got.All[len(got.All)-1]; last != fmt.Sprintf("%d%%", percent) || !strings.HasSuffix(got.Says, fmt.Sprintf("%d.", percent)) {
		t.Errorf("of all examples %s are recognized, in words %q; the review says %q", last, got.Says, got.Note)
	}
	if first := strings.TrimSuffix(got.All[0], "%"); !strings.Contains(got.Says, " "+first+" of 100") {
		t.Errorf("%q, the first column says %s", got.Says, first)
	}
	s.Drop(".view", studiotest.PictureFile(t, "test.jpg", studiotest.Red))
	s.Click(".thumbnail")
	s.Key("keyDown", "Delete", "Delete", 46)
	s.WaitFor(`document.querySelectorAll(".thumbnail").length === 34`)
	s.WaitFor(`document.querySelector(".growth .busy")`)
	s.WaitFor(`document.querySelector(".caption:not(.hidden)")`)
	s.WaitFor(whole)
	s.Click("#show-growth")
	s.WaitCount(".growth .found", 0)
	s.Quiet()
}
