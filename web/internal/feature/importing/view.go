// Package importing is the feature that shows, while files are dragged over the page, where they can
// be dropped; then the progress of the import with the time left, and stops it.
package importing

import (
	"time"

	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"github.com/deepemd/deepemd/web/internal/kernel"
	"github.com/deepemd/deepemd/web/internal/ui"
)

// Add adds the feature to a page.
func Add(k *kernel.Kernel, page *ui.Page) {
	i := &importing{Kernel: k}
	page.Show(ui.Above, ui.Follow(k, i.view, k.Project, k.Classes))
	page.Show(ui.Foot, i.hint)
}

type importing struct {
	*kernel.Kernel
	reads bool // the pace is of reading files, not of embedding examples
	pace  pace
}

// hint shows that the whole page takes folders. The other targets have theirs as attributes, which the
// style sheet shows.
func (v *importing) hint() app.UI {
	return app.Div().Class("drop-anywhere").Aria("hidden", true).Text(v.Texts().Bring.DropPage)
}

// view shows a bar with the time left, or nothing.
func (v *importing) view() app.UI {
	t, p := v.Texts(), v.Project.State()
	box := app.Div().Class("importing")
	now, words := p.Learning, ""
	if reads := p.Taking != nil; reads != v.reads {
		v.reads, v.pace = reads, pace{}
	}
	switch {
	case p.Taking != nil:
		now = p.Taking
		words = t.Bring.Reading(now.Done, now.All)
	case now != nil:
		words = t.Bring.Learning(now.Done, now.All)
	default:
		v.pace = pace{}
		return box
	}
	if left := v.pace.left(time.Now(), *now); left > 0 {
		words = kernel.Paragraph(words+".", t.Bring.TimeLeft(t.Duration(left)))
	}
	return box.Body(ui.Running(t, words, t.Bring.Folder, ui.Fraction(*now), "stop-import", t.Page.Stop, v.Project.StopImport))
}

// pace estimates the time left from the progress since it began.
type pace struct {
	begin  time.Time
	before kernel.Progress
}

// steady is the time after which the pace is known.
const steady = 2 * time.Second

// left returns the time left, or 0 while the pace is unknown. Another or a larger total begins
// again.
func (p *pace) left(now time.Time, done kernel.Progress) time.Duration {
	if done.All != p.before.All || done.Done < p.before.Done {
		*p = pace{now, done}
	}
	passed, since := now.Sub(p.begin), done.Done-p.before.Done
	if passed < steady || since == 0 {
		return 0
	}
	return passed * time.Duration(done.All-done.Done) / time.Duration(since)
}
