package view

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"github.com/deepemd/deepemd/core/project"
	"github.com/deepemd/deepemd/web/internal/kernel"
	"github.com/deepemd/deepemd/web/internal/kerneltest"
	"github.com/deepemd/deepemd/web/internal/texts"
)

func TestCardsKeepTheirPlaces(t *testing.T) {
	classes := func(ids string) (list []kernel.Class) {
		for _, id := range strings.Split(ids, "") {
			list = append(list, kernel.Class{ID: id})
		}
		return list
	}
	for _, c := range []struct{ name, before, now, want string }{
		{"at first", "", "abc", "abc"},
		{"a class is removed", "abc", "ac", "abc"},
		{"that is undone", "abc", "abc", "abc"},
		{"a class is added after it", "abc", "acd", "abcd"},
		{"another order", "abc", "cab", "cab"},
		{"another project", "abc", "xyz", "xyz"},
		{"a class before others", "bc", "abc", "abc"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var before []string
			if c.before != "" {
				before = strings.Split(c.before, "")
			}
			if got := strings.Join(places(before, classes(c.now)), ""); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
	if got := places(slices.Repeat([]string{"gone"}, mostEmpty+1), classes("a")); len(got) != 1 {
		t.Errorf("%d places of one class", len(got))
	}
}

// Cards far from the window are outlines, unless there are few or one gets the focus.
func TestManyCardsAreOutlines(t *testing.T) {
	for _, c := range []struct{ classes, whole int }{{mostCards, mostCards}, {1000, 1}} {
		k := kernel.New(project.KindImage, texts.In("en"))
		for range c.classes - 2 {
			k.Classes.Add()
		}
		s := New(k)
		s.focused = kerneltest.IDs(k)[1]
		html := app.HTMLString(s.drawClasses())
		for part, want := range map[string]int{"<article": c.classes, "<h3": c.classes, `type="text"`: c.whole} {
			if got := strings.Count(html, part); got != want {
				t.Errorf("%d classes: %d times %s, want %d", c.classes, got, part, want)
			}
		}
	}
}

// However many classes there are, only the leaders have bars.
func TestBarsOfLeadersOnly(t *testing.T) {
	k := kernel.New(project.KindImage, texts.In("en"))
	for range 98 {
		k.Classes.Add()
	}
	a := &Answer{Kernel: k}
	if html := app.HTMLString(a.Render()); strings.Count(html, "<li") != moreBars || !strings.Contains(html, fmt.Sprint(100)) {
		t.Errorf("%d bars, want %d and a button for 100", strings.Count(html, "<li"), moreBars)
	}
	a.all = true
	if n := strings.Count(app.HTMLString(a.Render()), "<li"); n != 100 {
		t.Errorf("%d bars, want all 100", n)
	}
}

// Classes of the same name say so.
func TestTwinsAreHinted(t *testing.T) {
	k := kernel.New(project.KindImage, texts.In("en"))
	for _, label := range []string{"Cup", "Pen", "cup"} {
		k.Classes.Rename(k.Classes.Add(), label)
	}
	html := app.HTMLString(New(k).drawClasses())
	if n := strings.Count(html, "has the same name"); n != 2 {
		t.Errorf("%d hints, want 2:\n%s", n, html)
	}
}
