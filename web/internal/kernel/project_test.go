package kernel_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/deepemd/deepemd/core/method"
	"github.com/deepemd/deepemd/core/project"
	. "github.com/deepemd/deepemd/web/internal/kernel"
	"github.com/deepemd/deepemd/web/internal/kerneltest"
	"github.com/deepemd/deepemd/web/internal/texts"
)

// outline formats the labels and examples of the kernel's classes.
func outline(s *Kernel) string {
	var parts []string
	for _, c := range s.Classes.List() {
		parts = append(parts, c.Label+"("+strings.Join(c.Examples, " ")+")")
	}
	return strings.Join(parts, " ")
}

// outlineOf formats a saved document like outline.
func outlineOf(d Document) string {
	var parts []string
	for _, c := range d.Classes {
		var ids []string
		for _, e := range c.Examples {
			ids = append(ids, e.ID)
		}
		parts = append(parts, c.Label+"("+strings.Join(ids, " ")+")")
	}
	return strings.Join(parts, " ")
}

func TestEveryChangeIsKept(t *testing.T) {
	kerneltest.Run(t, func(t *testing.T, s *Kernel, _ *kerneltest.Engine, _ *kerneltest.Camera, wait func()) {
		store := kerneltest.NewStore()
		s.Project.StoreReady(store)
		wait()
		if store.Saves != 0 || s.Project.State().Stage != Unsaved || s.Project.State().Name != "Project 1" {
			t.Errorf("%d saves of %+v before anything was changed", store.Saves, s.Project.State())
		}
		id := kerneltest.IDs(s)[0]
		for i, change := range []func(){
			func() { s.AddFiles(id, []File{{Name: "a", Source: "a"}, {Name: "b", Source: "b"}}) },
			func() { s.Classes.Rename(id, "cup") },
			func() { s.Classes.Add() },
			func() { s.Classes.RemoveExamples(s.Classes.List()[0].Examples[0]) },
			func() { s.Classes.Remove(kerneltest.IDs(s)[1]) },
			func() { s.Project.Rename("Things") },
			func() { s.Setup.Change(func(m *method.Method) { m.Classifier = method.Nearest }) },
			func() { s.Classes.Undo() },
			func() { s.Classes.Redo() },
			func() { s.Classes.Clear(id) },
		} {
			change()
			kerneltest.Rest(time.Second)
			d := store.Doc(s.Project.State().ID)
			if outlineOf(d) != outline(s) || d.Name != s.Project.State().Name || !d.Method.Equal(s.Setup.Method()) {
				t.Errorf("change %d: kept %s of %+v, the page shows %s", i, outlineOf(d), d, outline(s))
			}
			if s.Project.State().Stage != Saved {
				t.Errorf("change %d: stage %v", i, s.Project.State().Stage)
			}
		}
	})
}

// Saves never overlap; changes during a save are saved after it.
func TestSavesAreGathered(t *testing.T) {
	kerneltest.Run(t, func(t *testing.T, s *Kernel, _ *kerneltest.Engine, _ *kerneltest.Camera, wait func()) {
		store := kerneltest.NewStore()
		store.Pause = 50 * time.Millisecond
		s.Project.StoreReady(store)
		for i := range 100 {
			s.Project.Rename(fmt.Sprint("name ", i))
			kerneltest.Rest(10 * time.Millisecond)
		}
		kerneltest.Rest(time.Second)
		if got := store.Doc(s.Project.State().ID).Name; got != "name 99" {
			t.Errorf("kept as %q", got)
		}
		if store.Saves < 3 || store.Saves > 8 {
			t.Errorf("%d saves in a second, want about four", store.Saves)
		}
		wait()
	})
}

// A change just after a save, whose loop has not ended, is not called saved before it is.
func TestAChangeAfterASaveIsNotSaved(t *testing.T) {
	kerneltest.Bubble(t, func(t *testing.T) {
		s, store := kerneltest.New(), kerneltest.NewStore()
		s.EngineReady(&kerneltest.Engine{})
		s.Project.StoreReady(store)
		kerneltest.Rest(SaveInterval)
		added := false
		s.Project.Watch(func() {
			if s.Project.State().Stage != Saved || added {
				return
			}
			added = true
			s.Classes.Add()
			if got := s.Project.State().Stage; got != Saving {
				t.Errorf("stage %v after the change, want %v", got, Saving)
			}
		})
		s.Classes.Add()
		kerneltest.Rest(2 * SaveInterval)
		if !added || s.Project.State().Stage != Saved || store.Saves != 2 {
			t.Errorf("changed again: %v; stage %v, %d saves; want %v, 2 saves", added, s.Project.State().Stage, store.Saves, Saved)
		}
	})
}

// The classes are not drawn again for the progress of a large project, which the page shows a few times a second.
func TestALargeProjectIsNotShownForEveryClass(t *testing.T) {
	kerneltest.Bubble(t, func(t *testing.T) {
		const classes = 1000
		doc := kerneltest.Cups()
		doc.Classes = nil
		for i := range classes {
			doc.Classes = append(doc.Classes, project.Class{
				ID: fmt.Sprint("class-", i), Label: fmt.Sprint("thing ", i), Examples: []project.Example{{ID: fmt.Sprint("example-", i)}},
			})
		}
		s, e, shown := kerneltest.New(), &kerneltest.Engine{}, 0
		s.EngineReady(e)
		s.Classes.Watch(func() { shown++ })
		s.Project.StoreReady(kerneltest.NewStore(doc))
		kerneltest.Rest(time.Second)
		if s.Classes.Opening() != nil || s.Classes.Examples() != classes {
			t.Errorf("%d examples, opening %v: want %d and all restored", s.Classes.Examples(), s.Classes.Opening(), classes)
		}
		if shown > 5 {
			t.Errorf("the classes are drawn %d times while the project opens", shown)
		}
	})
}

func TestTheLastProjectComesBack(t *testing.T) {
	for _, engineFirst := range []bool{true, false} {
		t.Run(fmt.Sprint("engine first ", engineFirst), func(t *testing.T) {
			kerneltest.Bubble(t, func(t *testing.T) {
				s, e := kerneltest.New(), &kerneltest.Engine{}
				if engineFirst {
					s.EngineReady(e)
				}
				s.Project.StoreReady(kerneltest.NewStore(kerneltest.Cups()))
				if !engineFirst {
					if p := s.Project.State().Opening; p == nil || p.All != 3 {
						t.Errorf("opening %+v, want 3 examples to come", p)
					}
					s.EngineReady(e)
				}
				kerneltest.Rest(SaveInterval)
				if got, want := outline(s), "cup(example-7 example-8) mug(example-40)"; got != want {
					t.Errorf("the page shows %s, want %s", got, want)
				}
				var taught []string
				for _, call := range e.Calls() {
					if strings.HasPrefix(call, "restore") {
						taught = append(taught, call)
					}
				}
				if want := []string{"restore class-1 example-7 example-8", "restore class-2 example-40"}; !slices.Equal(taught, want) {
					t.Errorf("the engine was told %q, want %q", e.Calls(), want)
				}
				p := s.Project.State()
				if p.Name != "Cups" || p.Stage != Saved || p.Opening != nil {
					t.Errorf("project %+v", p)
				}
				if id := s.Classes.Add(); id != "class-41" {
					t.Errorf("a new class is called %s", id)
				}
			})
		})
	}
}

func TestWhatWasBegunIsNotReplaced(t *testing.T) {
	kerneltest.Run(t, func(t *testing.T, s *Kernel, _ *kerneltest.Engine, _ *kerneltest.Camera, wait func()) {
		s.Classes.Rename(kerneltest.IDs(s)[0], "mine")
		store := kerneltest.NewStore(kerneltest.Cups())
		s.Project.StoreReady(store)
		kerneltest.Rest(time.Second)
		if got := s.Classes.List()[0].Label; got != "mine" || len(s.Project.State().Kept) != 2 {
			t.Errorf("the page shows %s of %d projects, want mine as a second", got, len(s.Project.State().Kept))
		}
		if d := store.Doc(s.Project.State().ID); d.Classes[0].Label != "mine" {
			t.Errorf("kept %+v", d)
		}
	})
}

func TestSeveralProjects(t *testing.T) {
	kerneltest.Run(t, func(t *testing.T, s *Kernel, e *kerneltest.Engine, _ *kerneltest.Camera, wait func()) {
		store := kerneltest.NewStore(kerneltest.Cups())
		s.Project.StoreReady(store)
		wait()
		s.Classes.Rename("class-1", "glass") // saved before the next project is opened
		s.Project.New()
		wait()
		second := s.Project.State().ID
		if outline(s) != "Class 1() Class 2()" || second == "project-cups" || s.Project.State().Name != "Project 1" {
			t.Errorf("a new project shows %s: %+v", outline(s), s.Project.State())
		}
		if got := s.Classes.History(); got != (History{}) {
			t.Errorf("history %+v of the project before", got)
		}
		if got := outlineOf(store.Doc("project-cups")); !strings.HasPrefix(got, "glass(") {
			t.Errorf("kept %s of the project before", got)
		}
		s.AddFiles(kerneltest.IDs(s)[0], []File{{Name: "a", Source: "a"}})
		kerneltest.Rest(time.Second)
		s.Project.Open("project-cups")
		kerneltest.Rest(time.Second)
		if got, want := outline(s), "glass(example-7 example-8) mug(example-40)"; got != want {
			t.Errorf("the page shows %s, want %s", got, want)
		}
		told := e.Calls()
		if got := told[len(told)-1]; got != "restore class-2 example-40" {
			t.Errorf("the engine was told %q last", got)
		}
		s.Project.Duplicate("project-cups")
		kerneltest.Rest(time.Second)
		if p := s.Project.State(); p.Name != "Cups, copy" || p.ID == "project-cups" || len(p.Kept) != 3 || p.Stage != Saved {
			t.Errorf("after duplicating: %+v", p)
		}
		copied := s.Project.State().ID
		s.Project.Remove(copied)
		kerneltest.Rest(time.Second)
		if p := s.Project.State(); p.ID == copied || len(p.Kept) != 2 {
			t.Errorf("after removing: %+v", p)
		}
		n := s.Notices.List()
		if len(n) != 1 || n[0].Button != texts.In("en").Project.Retrieve {
			t.Fatalf("notices %+v, want an offer to bring it back", n)
		}
		n[0].Offer.Do()
		kerneltest.Rest(time.Second)
		if p := s.Project.State(); p.ID != copied || len(p.Kept) != 3 || p.Stage != Saved || outline(s) != "glass(example-7 example-8) mug(example-40)" {
			t.Errorf("brought back: %+v, %s", p, outline(s))
		}
	})
}

// changing is a store in which a project changes while it is removed.
type changing struct {
	*kerneltest.Store
	change func()
}

func (c changing) Remove(id string) (bool, error) {
	defer time.Sleep(time.Second)
	defer c.change()
	return c.Store.Remove(id)
}

// Imported examples, for example, are embedded while their project is removed: this does not restore it.
func TestAChangeDoesNotRestoreARemovedProject(t *testing.T) {
	for name, fail := range map[string]error{"removed": nil, "not removed": &Error{Code: CodeElsewhere, Message: "locked"}} {
		kerneltest.Run(t, func(t *testing.T, s *Kernel, _ *kerneltest.Engine, _ *kerneltest.Camera, wait func()) {
			store := kerneltest.NewStore(kerneltest.Cups())
			store.Fail[""] = fail
			s.Project.StoreReady(changing{store, func() { s.Classes.Rename("class-1", "glass") }})
			wait()
			s.Project.Remove("project-cups")
			kerneltest.Rest(3 * time.Second)
			if p := s.Project.State(); store.Removed["project-cups"] != (fail == nil) || (p.ID == "project-cups") != (fail != nil) || p.Stage == Saving {
				t.Errorf("%s: removed %v; open is %+v", name, store.Removed, p)
			}
			if got := outlineOf(store.Doc("project-cups")); fail == nil != strings.HasPrefix(got, "cup") {
				t.Errorf("%s: kept %s", name, got)
			}
		})
	}
}

// Images that arrive after another project was opened are added to neither.
func TestPicturesUnderWayStayWithTheirProject(t *testing.T) {
	kerneltest.Run(t, func(t *testing.T, s *Kernel, e *kerneltest.Engine, c *kerneltest.Camera, wait func()) {
		store := kerneltest.NewStore(kerneltest.Cups())
		s.Project.StoreReady(store)
		wait()
		s.Project.New()
		wait()
		s.Project.Open("project-cups") // whose classes have ids that were used here before
		wait()
		s.Camera.Start("")
		wait()
		s.Capture.Hold("class-1")
		s.AddFiles("class-2", []File{{Name: "a", Source: "a"}, {Name: "b", Source: "b"}})
		s.Project.New()
		kerneltest.Rest(time.Second)
		if got := outline(s); got != "Class 1() Class 2()" {
			t.Errorf("the new project has %s", got)
		}
		if s.Capture.Class() != "" {
			t.Error("still capturing")
		}
		s.Camera.Stop()
	})
}

// A project that another tab has saved is in the list after the next change.
func TestProjectsOfOtherTabs(t *testing.T) {
	kerneltest.Bubble(t, func(t *testing.T) {
		s, store := kerneltest.New(), kerneltest.NewStore()
		s.Project.StoreReady(store)
		cups := kerneltest.Cups()
		store.Kept[cups.ID] = cups
		s.Project.New()
		kerneltest.Rest(time.Second)
		if kept := s.Project.State().Kept; len(kept) != 1 || kept[0].ID != cups.ID {
			t.Errorf("the list is %+v, want Cups", kept)
		}
		s.Project.New()
		kerneltest.Rest(time.Second)
		if stage := s.Project.State().Stage; stage != Unsaved {
			t.Errorf("a new project among others is %v", stage)
		}
	})
}

// Another project ends the capture for a class of this one.
func TestAnotherProjectEndsTheCapture(t *testing.T) {
	kerneltest.Run(t, func(t *testing.T, s *Kernel, _ *kerneltest.Engine, _ *kerneltest.Camera, wait func()) {
		s.Project.StoreReady(kerneltest.NewStore())
		s.Camera.Start("")
		wait()
		s.Capture.Hold(kerneltest.IDs(s)[0])
		s.Project.New()
		kerneltest.Rest(time.Second)
		if class := s.Capture.Class(); class != "" {
			t.Errorf("capturing %q", class)
		}
	})
}

// The folder of an import names a project that the user has not named.
func TestFoldersNameProjects(t *testing.T) {
	for name, want := range map[string]string{"": "desk", "mine": "mine"} {
		kerneltest.Run(t, func(t *testing.T, s *Kernel, _ *kerneltest.Engine, _ *kerneltest.Camera, _ func()) {
			s.Project.StoreReady(kerneltest.NewStore())
			if name != "" {
				s.Project.Rename(name)
			}
			s.Project.Bringing("")(entries("desk", "desk/cup/1.png", "desk/pen/1.png"))
			kerneltest.Rest(time.Second)
			if got := s.Project.State().Name; got != want {
				t.Errorf("the project %q is named %q, want %q", name, got, want)
			}
		})
	}
}

// An example that arrives after another project was opened is forgotten, but not the example of that project with the
// same id.
func TestALateExampleAndOneOfTheNextProject(t *testing.T) {
	kerneltest.Run(t, func(t *testing.T, s *Kernel, e *kerneltest.Engine, _ *kerneltest.Camera, wait func()) {
		store := kerneltest.NewStore()
		s.Project.StoreReady(store)
		cups := kerneltest.Cups()
		cups.Classes[0].Examples[0].ID = "example-3"
		store.Kept[cups.ID] = cups
		e.Slow = time.Second
		s.AddFiles(kerneltest.IDs(s)[1], kerneltest.Files("a")) // becomes example-3
		wait()
		s.Project.Open(cups.ID)
		kerneltest.Rest(time.Minute)
		if calls := e.Calls(); !slices.Contains(calls, "restore class-1 example-3 example-8") || slices.Contains(calls, "forget example-3") {
			t.Errorf("the calls were %q", calls)
		}
	})
}

// When the disk is full, projects can be removed, as the notice advises: another project, and the unsaved
// one. No notice offers to restore what its space was needed for.
func TestAFullDiskStillRemovesProjects(t *testing.T) {
	kerneltest.Run(t, func(t *testing.T, s *Kernel, _ *kerneltest.Engine, _ *kerneltest.Camera, _ func()) {
		store := kerneltest.NewStore(kerneltest.Cups())
		s.Project.StoreReady(store)
		s.Project.New()
		kerneltest.Rest(time.Second)
		s.Project.Rename("Things")
		kerneltest.Rest(time.Second)
		things := s.Project.State().ID
		store.Fail["Save"] = &Error{Code: CodeFull, Message: "quota"}
		s.Project.Rename("Things that do not fit")
		kerneltest.Rest(time.Second)
		s.Project.Remove("project-cups")
		kerneltest.Rest(time.Second)
		if keys := kerneltest.Keys(s); !store.Removed["project-cups"] || !slices.Equal(slices.Sorted(slices.Values(keys)), []string{NoticeRemoved, NoticeSave}) {
			t.Errorf("another: removed %v, with the notices %q", store.Removed, keys)
		}
		s.Project.Remove(things)
		kerneltest.Rest(time.Second)
		if keys := kerneltest.Keys(s); !store.Removed[things] || s.Project.State().ID == things || !slices.Equal(keys, []string{NoticeRemoved}) {
			t.Errorf("the open one: removed %v, with the notices %q", store.Removed, keys)
		}
		for _, n := range s.Notices.List() {
			if n.Offer != nil {
				t.Errorf("the notice %q offers to restore an erased project", n.Key)
			}
		}
	})
}

func TestStoreFailures(t *testing.T) {
	kerneltest.Run(t, func(t *testing.T, s *Kernel, _ *kerneltest.Engine, _ *kerneltest.Camera, wait func()) {
		store := kerneltest.NewStore(kerneltest.Cups())
		store.Fail["Open"] = &Error{Code: CodeElsewhere, Message: "locked"}
		s.Project.StoreReady(store)
		wait()
		if n := s.Notices.List(); len(n) != 1 || !strings.Contains(n[0].Title, "Cups") || !strings.Contains(n[0].Text, "another tab") {
			t.Errorf("notices %+v", n)
		}
		if p := s.Project.State(); p.ID == "project-cups" || p.Name != "Project 1" {
			t.Errorf("project %+v, want a new one", p)
		}

		store.Fail["Save"] = &Error{Code: CodeFull, Message: "quota"}
		s.Project.Rename("Things")
		kerneltest.Rest(time.Second)
		if p := s.Project.State(); p.Stage != SaveFailed {
			t.Errorf("stage %v, want failed", p.Stage)
		}
		n := s.Notices.List()
		if last := n[len(n)-1]; last.Button != texts.In("en").Project.SaveAgain || !strings.Contains(last.Text, "no space") {
			t.Errorf("notices %+v", n)
		}
		// Another project is not opened if that would lose unsaved changes.
		before := s.Project.State().ID
		delete(store.Fail, "Open")
		s.Project.Open("project-cups")
		kerneltest.Rest(time.Second)
		if s.Project.State().ID != before {
			t.Error("what could not be kept was given up")
		}
		delete(store.Fail, "Save")
		n[len(n)-1].Offer.Do()
		kerneltest.Rest(time.Second)
		if p := s.Project.State(); p.Stage != Saved || store.Doc(before).Name != "Things" || slices.Contains(kerneltest.Keys(s), "save") {
			t.Errorf("project %+v, notices %q", p, kerneltest.Keys(s))
		}

		store.Fail["ReadFile"] = &Error{Code: CodeBadProject, Message: "not a project: choose another"}
		s.Project.BringFile(File{Name: "letter.txt", Source: "letter"}, "")
		kerneltest.Rest(time.Second)
		if p := s.Project.State(); p.ID != before || p.Writing != nil || len(p.Kept) != 2 {
			t.Errorf("project %+v after a file that is none", p)
		}
		n = s.Notices.List()
		if last := n[len(n)-1]; !strings.Contains(last.Title, "letter.txt") || !strings.Contains(last.Text, texts.In("en").Project.NothingLost) {
			t.Errorf("notices %+v", n)
		}
		s.Project.WriteFile(FormPage)
		wait()
		store.Fail["WriteFile"] = errors.New("no network")
		s.Project.WriteFile(FormProject)
		kerneltest.Rest(time.Second)
		if want := []Form{FormPage}; !slices.Equal(store.Written, want) || !slices.Contains(kerneltest.Keys(s), "project") {
			t.Errorf("written %v, notices %q", store.Written, kerneltest.Keys(s))
		}
	})
}

// A file that needs the engine, which cannot be loaded, does not stop the other operations on projects. It waits for an
// engine that is loading.
func TestAFileWithoutEngine(t *testing.T) {
	failed := kerneltest.Failure(CodeNetwork, "offline")
	for name, load := range map[string]func(s *Kernel, write func()){
		"it has failed": func(s *Kernel, write func()) { s.EngineFailed(failed); write() },
		"it fails":      func(s *Kernel, write func()) { write(); s.EngineFailed(failed) },
		"it fails again": func(s *Kernel, write func()) {
			s.EngineFailed(failed)
			s.Engine.Loading()
			write()
			s.EngineFailed(failed)
		},
		"it comes at last": func(s *Kernel, write func()) {
			s.EngineFailed(failed)
			s.Engine.Loading()
			write()
			s.EngineReady(&kerneltest.Engine{})
		},
	} {
		kerneltest.Bubble(t, func(t *testing.T) {
			s, store := kerneltest.New(), kerneltest.NewStore(kerneltest.Cups())
			s.Project.StoreReady(store)
			load(s, func() {
				s.Project.WriteFile(FormProject)
				kerneltest.Rest(time.Second)
				loading, p := s.Engine.State().Stage == Loading, s.Project.State()
				if loading != (len(store.Written) == 0) || loading != (p.Writing != nil) {
					t.Errorf("%s: written %v, progress %v while the engine loads: %v", name, store.Written, p.Writing, loading)
				}
			})
			kerneltest.Rest(time.Second)
			s.Project.New()
			kerneltest.Rest(time.Second)
			if p := s.Project.State(); p.ID == "project-cups" || !slices.Equal(store.Written, []Form{FormProject}) {
				t.Errorf("%s: project %+v, written %v", name, p, store.Written)
			}
			if s.Engine.Get() == nil {
				s.EngineReady(&kerneltest.Engine{})
			}
		})
	}
}

func TestWithoutStore(t *testing.T) {
	kerneltest.Run(t, func(t *testing.T, s *Kernel, _ *kerneltest.Engine, _ *kerneltest.Camera, wait func()) {
		s.Project.StoreMissing(&Error{Code: CodeNoStore, Message: "denied"})
		s.AddFiles(kerneltest.IDs(s)[0], []File{{Name: "a", Source: "a"}})
		s.Project.New()
		wait()
		if n := s.Notices.List(); len(n) != 1 || !strings.Contains(n[0].Text, "cannot store") {
			t.Errorf("notices %+v", n)
		}
		if got := len(s.Classes.List()[0].Examples); got != 1 {
			t.Errorf("%d examples, want 1", got)
		}
	})
}

func TestOpenFile(t *testing.T) {
	kerneltest.Run(t, func(t *testing.T, s *Kernel, e *kerneltest.Engine, _ *kerneltest.Camera, wait func()) {
		store := kerneltest.NewStore(kerneltest.Cups())
		store.File = kerneltest.Cups()
		e.Again = 1
		s.Project.StoreReady(store)
		wait()
		s.Project.BringFile(File{Name: "cups.deepemd", Source: "file"}, "")
		kerneltest.Rest(time.Second)
		p := s.Project.State()
		if p.ID == "project-cups" || p.Name != "Cups (2)" || p.Stage != Saved || len(p.Kept) != 2 {
			t.Errorf("project %+v, want a second one", p)
		}
		if got := store.Accepted[len(store.Accepted)-1]; got != p.ID {
			t.Errorf("the store holds %s, the page shows %s", got, p.ID)
		}
		if outlineOf(store.Doc(p.ID)) != outline(s) || outline(s) != "cup(example-7 example-8) mug(example-40)" {
			t.Errorf("kept %s, shown %s", outlineOf(store.Doc(p.ID)), outline(s))
		}
		s.Project.Open("gone")
		kerneltest.Rest(time.Second)
		if id := s.Project.State().ID; id != p.ID || noticed(s) == "" {
			t.Errorf("project %s, want %s; the page says %q", id, p.ID, noticed(s))
		}
	})
}

// Files with projects of the other kind are refused, and nothing changes.
func TestFilesOfTheOtherKind(t *testing.T) {
	for kind, archive := range map[string][]File{
		project.KindImage: nil, // a project file of sounds
		project.KindSound: entries(teachable, "Ja-!-0.jpg", "Nein-!-0.jpg", "manifest.json"),
	} {
		kerneltest.Bubble(t, func(t *testing.T) {
			s, store := New(kind, texts.In("en")), kerneltest.NewStore()
			store.File = kerneltest.Cups()
			store.File.Kind = project.KindSound
			store.Archive = archive
			s.Project.StoreReady(store)
			before := s.Project.State().ID
			name := "things.deepemd"
			if archive != nil {
				name = "things.zip"
			}
			s.Project.BringFile(File{Name: name, Source: "file"}, "")
			kerneltest.Rest(time.Second)
			if id := s.Project.State().ID; id != before || !strings.Contains(noticed(s), texts.In("en").Reason(CodeOtherKind)) {
				t.Errorf("%s: project %s, want %s; the page says %q", kind, id, before, noticed(s))
			}
		})
	}
}

// If making a page for the share sheet took too long, the page waits for another click.
func TestAPageWaitsForAClick(t *testing.T) {
	kerneltest.Run(t, func(t *testing.T, s *Kernel, _ *kerneltest.Engine, _ *kerneltest.Camera, wait func()) {
		store := kerneltest.NewStore()
		s.Project.StoreReady(store)
		wait()
		notices := func() string {
			wait()
			var said []string
			for _, n := range s.Notices.List() {
				said = append(said, n.Title)
			}
			return strings.Join(said, ", ")
		}
		s.Project.WriteFile(FormSent)
		if got := notices(); got != "" || !slices.Equal(store.Written, []Form{FormSent}) {
			t.Errorf("%v was written, notices %q", store.Written, got)
		}
		store.Fail["WriteFile"] = kerneltest.Failure(CodeWaiting, "a click")
		s.Project.WriteFile(FormSent)
		if got := notices(); got != texts.In("en").Project.PageReady || s.Notices.List()[0].Button != texts.In("en").Project.SendNow {
			t.Fatalf("notices %q, want that the page is ready", got)
		}
		s.Project.Send()
		if got := notices(); got != "" || store.Sent != 1 {
			t.Errorf("sent %d times, notices %q", store.Sent, got)
		}
		store.Fail["Send"] = kerneltest.Failure("internal", "no app takes it")
		s.Project.Send()
		if got := notices(); got != texts.In("en").Project.NotWritten {
			t.Errorf("notices %q, want that it failed", got)
		}
	})
}

// A name that the user has given before the store is ready stays.
func TestRenameBeforeTheStoreIsReady(t *testing.T) {
	kerneltest.Run(t, func(t *testing.T, s *Kernel, _ *kerneltest.Engine, _ *kerneltest.Camera, wait func()) {
		s.Project.Rename("Tea")
		store := kerneltest.NewStore(kerneltest.Cups())
		s.Project.StoreReady(store)
		kerneltest.Rest(SaveLatest)
		if got := s.Project.State(); got.Name != "Tea" || store.Doc(got.ID).Name != "Tea" {
			t.Errorf("the project is called %q, and %q in the store", got.Name, store.Doc(got.ID).Name)
		}
	})
}
