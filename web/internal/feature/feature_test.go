package feature

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"github.com/deepemd/deepemd/core/answer"
	"github.com/deepemd/deepemd/core/project"
	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/web/internal/feature/actions"
	"github.com/deepemd/deepemd/web/internal/feature/growth"
	"github.com/deepemd/deepemd/web/internal/feature/lesson"
	"github.com/deepemd/deepemd/web/internal/feature/review"
	"github.com/deepemd/deepemd/web/internal/feature/training"
	"github.com/deepemd/deepemd/web/internal/feature/trial"
	"github.com/deepemd/deepemd/web/internal/feature/why"
	"github.com/deepemd/deepemd/web/internal/kernel"
	"github.com/deepemd/deepemd/web/internal/kerneltest"
	"github.com/deepemd/deepemd/web/internal/lessons"
	"github.com/deepemd/deepemd/web/internal/texts"
	"github.com/deepemd/deepemd/web/internal/ui"
	"github.com/deepemd/deepemd/web/internal/view"
)

// Every folder here is in the list of features.
func TestEveryFolderIsListed(t *testing.T) {
	entries := require.Value(os.ReadDir("."))(t)
	folders := 0
	for _, e := range entries {
		if e.IsDir() {
			folders++
		}
	}
	if folders != len(all) {
		t.Errorf("%d folders and %d features: add the entry to the list, or remove the folder", folders, len(all))
	}
}

// A feature is one function that fills a place.
func TestAFeatureIsShownByItsEntry(t *testing.T) {
	template := func(_ *kernel.Kernel, page *ui.Page) {
		page.Show(ui.Below, func() app.UI { return app.P().ID("template").Text("here") })
	}
	page := view.New(kernel.New(project.KindImage, texts.In("en")), append(all[:len(all):len(all)], template)...)
	if html := app.HTMLString(page); strings.Count(html, `id="template"`) != 1 {
		t.Error("the page does not show what the feature brings")
	}
}

// A dialog that opens by an id has that id.
func TestDialogsHaveTheirIDs(t *testing.T) {
	page := Studio(project.KindImage, texts.In("en")).Page
	for _, id := range page.Dialogs() {
		html := app.HTMLString(page.Open(id))
		if strings.Count(html, "<dialog") != 1 || !strings.Contains(html, `id="`+id+`"`) {
			t.Errorf("opening %s draws %.300s", id, html)
		}
	}
	if !slices.Contains(page.Dialogs(), ui.ProjectsID) {
		t.Errorf("dialogs %q, want that of projects too", page.Dialogs())
	}
}

// Concurrent use of all features, with changing examples, camera frames and watching views, does not
// deadlock, and with -race does not race.
func TestFeaturesAtOnce(t *testing.T) {
	k, e, camera := kerneltest.New(), &kerneltest.Engine{}, kerneltest.NewCamera()
	e.Grew.Points = []answer.CurvePoint{{Examples: 1}}
	reasons, acts, school := why.New(k), actions.New(k), lesson.New(k)
	grown, reviews, test := growth.New(k), review.New(k), trial.New(k)
	learning := training.New(k)
	look := func() {
		reasons.State()
		acts.State()
		school.State()
		grown.State()
		reviews.State()
		test.State()
		learning.State()
	}
	for _, part := range []kernel.Watched{k.Classes, k.Live, k.Setup, reasons, acts, acts.Log, school, grown, reviews, test, learning} {
		part.Watch(look)
	}
	k.Camera.Connect(camera)
	k.EngineReady(e)
	k.Project.StoreReady(kerneltest.NewStore(kerneltest.Cups()))
	k.Camera.Start("")
	over := make(chan struct{})
	var devices, people sync.WaitGroup
	devices.Go(func() {
		for {
			select {
			case camera.Frames <- struct{}{}:
			case <-over:
				return
			}
		}
	})
	first := func() string {
		if list := k.Classes.List(); len(list) > 0 {
			return list[0].ID
		}
		return ""
	}
	for _, act := range []func(i int){
		func(i int) { k.AddFiles(first(), kerneltest.Files(fmt.Sprint("file ", i))) },
		func(i int) { k.Classes.Rename(first(), fmt.Sprint("name ", i)) },
		func(i int) { k.ShowPictures(kernel.File{Name: fmt.Sprint("picture ", i), Source: "picture"}) },
		func(int) { k.EngineCrashed(kerneltest.Failure(kernel.CodeCrashed, "gone"), true); k.EngineRestarted() },
		func(i int) { reasons.Show(i%2 == 0); reasons.OpenComparison(); reasons.CloseComparison() },
		func(i int) { reasons.Where.Show(i%2 == 0) },
		func(i int) {
			acts.Edit(actions.Subject{ClassID: first()}, func(r *project.Rule) { r.Count = i%2 == 0 })
		},
		func(i int) { acts.Pause(i%2 == 0); acts.Log.Keep(i%2 == 0) },
		func(i int) { grown.Show(i%2 == 0) },
		func(i int) { reviews.Show(i%2 == 0) },
		func(int) { learning.Start(); learning.Stop() },
		func(i int) {
			test.Start([]kernel.File{{Name: "1.jpg", Source: "1", Path: fmt.Sprintf("name %d/1.jpg", i)}})
		},
		func(i int) {
			if i%10 == 0 {
				school.Begin(lessons.Recycling, "")
			}
			school.Judge(i%2 == 0)
		},
	} {
		people.Go(func() {
			for i := range 30 {
				act(i)
			}
		})
	}
	people.Wait()
	grown.Show(false)
	reviews.Show(false)
	k.Camera.Stop()
	close(over)
	devices.Wait()
	before := len(k.Classes.List())
	if k.Classes.Add(); len(k.Classes.List()) != before+1 {
		t.Errorf("%d classes, then %d after another was made", before, len(k.Classes.List()))
	}
}
