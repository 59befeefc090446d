package importing

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"github.com/deepemd/deepemd/web/internal/kernel"
	"github.com/deepemd/deepemd/web/internal/kerneltest"
)

func TestTimeLeft(t *testing.T) {
	var p pace
	begin := time.Now()
	for _, c := range []struct {
		seconds, done, all int
		want               time.Duration
	}{
		{0, 10, 100, 0},
		{1, 20, 100, 0},
		{3, 40, 100, 6 * time.Second},
		{9, 100, 100, 0},
		{10, 100, 300, 0},
		{20, 200, 300, 10 * time.Second},
	} {
		if got := p.left(begin.Add(time.Duration(c.seconds)*time.Second), kernel.Progress{Done: c.done, All: c.all}); got != c.want {
			t.Errorf("after %d s, %d of %d: %v left, want %v", c.seconds, c.done, c.all, got, c.want)
		}
	}
}

// reading is a store that reads a file in a second.
type reading struct{ *kerneltest.Store }

func (s reading) Take(examples []kernel.Taken, fresh bool, progress func(done, all int) bool) error {
	for done := range examples {
		progress(done, len(examples))
		time.Sleep(time.Second)
	}
	return s.Store.Take(examples, fresh, progress)
}

// learning is an engine that embeds an example in a second.
type learning struct{ *kerneltest.Engine }

func (e learning) RestoreExamples(classID string, ids []string) (kernel.Restored, error) {
	time.Sleep(time.Duration(len(ids)) * time.Second)
	return e.Engine.RestoreExamples(classID, ids)
}

// The time that the files took to be read is not part of the pace at which their examples are embedded.
func TestTimeLeftAfterReading(t *testing.T) {
	kerneltest.Bubble(t, func(t *testing.T) {
		s := kerneltest.New()
		s.EngineReady(learning{&kerneltest.Engine{}})
		s.Project.StoreReady(reading{kerneltest.NewStore()})
		v := &importing{Kernel: s}
		var entries []kernel.File
		for i := range 100 {
			name := fmt.Sprint(i, ".png")
			entries = append(entries, kernel.File{Name: name, Source: name, Path: "cup/" + name})
		}
		s.Project.Bringing("")(entries)
		kerneltest.Rest(time.Second / 2)
		v.view()
		kerneltest.Rest(90 * time.Second)
		read := app.HTMLString(v.view())
		kerneltest.Rest(10 * time.Second)
		v.view()
		kerneltest.Rest(10 * time.Second)
		if got := app.HTMLString(v.view()); !strings.Contains(read, s.Texts().Bring.TimeLeft(s.Texts().Duration(10*time.Second))) || strings.Contains(got, "minutes") {
			t.Errorf("%s\n%s\nwant ten seconds, and less than two minutes", read, got)
		}
		kerneltest.Rest(2 * time.Minute)
	})
}
