package web_test

import (
	"fmt"
	"image/color"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/deepemd/deepemd/internal/browsertest"
)

var (
	red   = color.RGBA{210, 40, 30, 255}
	green = color.RGBA{40, 180, 60, 255}
	blue  = color.RGBA{40, 60, 220, 255}
)

// Pictures from files, by picker and by drop; a file that is none; and a picture
// to classify where there is no camera.
func TestPicturesFromFiles(t *testing.T) {
	s := open(t, browsertest.Options{})
	s.ready()
	s.Do(chromedp.SetUploadFiles(chromedp.CSS(card(1)+" input[type=file]"),
		[]string{pictureFile(t, "red1.jpg", red), pictureFile(t, "red2.jpg", red)}))
	s.waitCount(card(1)+" .thumbnail", 2)

	s.drop(card(2), pictureFile(t, "blue.jpg", blue), textFile(t, "notes.txt"), pictureFile(t, "blue2.jpg", blue))
	s.waitCount(card(2)+" .thumbnail", 2)
	s.WaitFor(`document.querySelector(".message.warning")`, 10*time.Second)
	if got := s.text(".message.warning"); !strings.Contains(got, "notes.txt") || !strings.Contains(got, "JPEG, PNG or WebP") {
		t.Errorf("the page says %q, want the name of the file and the remedy", got)
	}
	s.shot("not-a-picture")
	s.click(`.message button[aria-label="Dismiss"]`)
	s.waitCount(".message", 0)

	s.drop(".view", pictureFile(t, "another.jpg", blue))
	s.WaitFor(`document.querySelector(".caption")?.innerText.includes("Class 2")`, 10*time.Second)
	s.shot("picture")
	s.Do(chromedp.SetUploadFiles(chromedp.CSS("#test-picture"), []string{pictureFile(t, "other.jpg", red)}))
	s.WaitFor(`document.querySelector(".caption")?.innerText.includes("Class 1")`, 10*time.Second)
	s.quiet()
}

// Classes are added, renamed and deleted, and examples too; the others stay.
func TestClassesAndExamples(t *testing.T) {
	s := open(t, browsertest.Options{})
	s.name(1, "red disc") // before the engine is there
	s.ready()
	s.name(2, "blue disc")
	s.click("#add-class")
	s.waitCount(".card", 3)
	s.WaitFor(`document.activeElement.value === "Class 3"`, 5*time.Second)
	s.Do(chromedp.KeyEvent("green disc\r"))
	for i, c := range []color.RGBA{red, blue, green} {
		var files []string
		for n := range 3 {
			files = append(files, pictureFile(t, fmt.Sprintf("%d.jpg", n), c))
		}
		s.drop(card(i+1), files...)
	}
	s.waitCount(".thumbnail", 9)
	s.showsColour(card(2)+" .thumbnail", blue)

	s.click(card(1) + " .thumbnail:nth-child(2) button")
	s.waitCount(card(1)+" .thumbnail", 2)

	s.click(card(2) + " .remove")
	s.click(card(2) + " .question .plain") // keep it after all
	s.waitCount(".question", 0)
	s.click(card(2) + " .remove")
	s.shot("delete")
	s.click(card(2) + " .danger")
	s.waitCount(".card", 2)
	s.name(2, "   ")
	var names []string
	for n := range 2 {
		names = append(names, browsertest.Eval[string](s.Browser, fmt.Sprintf("document.querySelector(%q).value", card(n+1)+" input.name")))
	}
	if got := strings.Join(names, ", "); got != "red disc, green disc" {
		t.Errorf("the classes are %q, want the first and the third", got)
	}
	s.showsColour(card(2)+" .thumbnail", green)
	s.drop(".view", pictureFile(t, "test.jpg", green))
	s.WaitFor(`document.querySelector(".caption")?.innerText.includes("green disc")`, 10*time.Second)
	s.quiet()
}

// showsColour fails the test unless the thumbnail has nearly the colour in the
// middle.
func (s *studio) showsColour(thumbnail string, want color.RGBA) {
	s.t.Helper()
	got := browsertest.Eval[[]float64](s.Browser, fmt.Sprintf(`(() => {
		const canvas = document.querySelector(%q).querySelector("canvas");
		const { data } = canvas.getContext("2d").getImageData(canvas.width / 2, canvas.height / 2, 1, 1);
		return Array.from(data);
	})()`, thumbnail))
	for i, v := range []uint8{want.R, want.G, want.B} {
		if math.Abs(got[i]-float64(v)) > 20 {
			s.t.Errorf("%s is %v in the middle, want nearly %v", thumbnail, got, want)
			return
		}
	}
}
