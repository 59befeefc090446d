//go:build !js

package teach_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/deepemd/deepemd/internal/browsertest"
	"github.com/deepemd/deepemd/web/internal/studiotest"
)

// Past many classes, buttons over the foot of the page lead to the panels below, on every size of screen.
func TestPastManyClasses(t *testing.T) {
	s := open(t, browsertest.Options{})
	s.Ready()
	s.OpenDialog("#open-projects", "#projects")
	s.Upload("#open-file", studiotest.ProjectOf(t, make([]string, 31), 1))
	s.WaitCount(".cards .card", 31)
	s.WaitCount(".checks li", 6)
	for _, width := range []int{1366, 360} {
		s.Window(width, 740)
		for i, id := range []string{"classes", "show-why", "show-then", "show-improve"} {
			s.Click(fmt.Sprintf(".jumps button:nth-child(%d)", i+1))
			s.WaitFor(fmt.Sprintf(`document.activeElement.id === %q && document.activeElement.ariaExpanded !== "false" && ((top) => top >= 0 && top < innerHeight / 2)(document.activeElement.getBoundingClientRect().top)`, id))
		}
	}
}

const classes, each = 12, 40

// With twelve classes of forty examples, every example can be seen and removed, and the answer
// shows the leaders, on every size of screen.
func TestTwelveClassesOfForty(t *testing.T) {
	var labels []string
	for i := range classes {
		labels = append(labels, fmt.Sprint("things ", i+1))
	}
	file := studiotest.ProjectOf(t, labels, each)
	s := open(t, browsertest.Options{Timeout: 3 * time.Minute})
	s.Ready()
	s.OpenDialog("#open-projects", "#projects")
	s.Upload("#open-file", file)
	s.WaitCount(".cards .card", classes)
	s.WaitFor(fmt.Sprintf(`document.querySelectorAll(".thumbnail").length === %d && !document.querySelector("#projects").open`, classes*each))
	s.Upload("#test-picture", studiotest.PictureFile(t, "test.jpg", studiotest.Blue))
	s.WaitFor(fmt.Sprintf(`document.querySelectorAll(".bar:not(.unknown)").length === %d`, classes))
	for _, screen := range []struct {
		name                 string
		width, height        int
		mobile               bool
		columns, bars, sight int // minimum of card columns, of visible bars, and of bars in the window
	}{
		{"desktop", 1280, 800, false, 2, 12, 12},
		{"wide", 1920, 1080, false, 4, 12, 12},
		{"tablet", 820, 1180, true, 2, 12, 12},
		{"phone", 390, 844, true, 1, 5, 5},
	} {
		t.Run(screen.name, func(t *testing.T) {
			s := &studio{&studiotest.Studio{Browser: s.Browser, T: t, Origin: s.Origin}}
			if screen.mobile {
				s.Phone(screen.width, screen.height)
			} else {
				s.Window(screen.width, screen.height)
			}
			s.Eval("scrollTo(0, 0)")
			s.Shot("classroom-" + screen.name)
			if got := browsertest.Eval[int](s.Browser, "document.documentElement.scrollWidth"); got > screen.width {
				t.Errorf("the page is %d px wide", got)
			}
			if got := browsertest.Eval[int](s.Browser, `new Set([...document.querySelectorAll(".cards .card")].map((c) => c.offsetLeft)).size`); got < screen.columns {
				t.Errorf("the cards are in %d columns, want %d", got, screen.columns)
			}
			if got := browsertest.Eval[[]string](s.Browser, covered); len(got) > 0 {
				t.Errorf("%d examples cannot be seen: %.300q", len(got), got)
			}
			bars := browsertest.Eval[struct{ Shown, Sight, Worst, Hidden float64 }](s.Browser, barsShown)
			if int(bars.Shown) != screen.bars || int(bars.Sight) != screen.sight || bars.Worst < bars.Hidden {
				t.Errorf("%v bars are shown and %v in sight, want %d and %d; the least of them shows %v%%, the most of the others %v%%",
					bars.Shown, bars.Sight, screen.bars, screen.sight, bars.Worst, bars.Hidden)
			}
			if screen.bars < classes {
				s.Click(".answer .more")
				s.WaitFor(`[...document.querySelectorAll(".bar")].every((b) => b.offsetHeight > 0)`)
				s.Shot("classroom-all-" + screen.name)
				s.Click(".answer .more")
			}
		})
	}
	s.Quiet()
}

// covered returns the examples that are partly covered or too small after scrolling to them.
const covered = `(() => {
	const bad = [];
	for (const list of document.querySelectorAll(".thumbnails")) {
		const items = [...list.children];
		items.forEach((item, i) => {
			list.scrollTop = item.offsetTop - list.offsetTop - 20;
			const a = item.getBoundingClientRect(), frame = list.getBoundingClientRect();
			const whole = a.top >= frame.top - 1 && a.bottom <= frame.bottom + 1;
			const apart = items.slice(i + 1).every((other) => {
				const b = other.getBoundingClientRect();
				return b.left >= a.right || b.right <= a.left || b.top >= a.bottom || b.bottom <= a.top;
			});
			if (!whole || !apart || a.width < 50 || Math.abs(a.width - a.height) > 1) bad.push(item.dataset.example + " " + JSON.stringify(a));
		});
		list.scrollTop = 0;
	}
	return bad;
})()`

// barsShown returns the number of visible bars, and of these in the window; and the lowest visible
// and the highest hidden percentage.
const barsShown = `(() => {
	const bars = [...document.querySelectorAll(".bar")];
	const percent = (b) => Math.round(100 * Number(b.querySelector("[role=meter]").getAttribute("aria-valuenow")));
	const shown = bars.filter((b) => b.offsetHeight > 0);
	return {
		shown: shown.length,
		sight: shown.filter((b) => { const r = b.getBoundingClientRect(); return r.top >= 0 && r.bottom <= innerHeight; }).length,
		worst: Math.min(...shown.map(percent)),
		hidden: Math.max(0, ...bars.filter((b) => !shown.includes(b)).map(percent)),
	};
})()`
