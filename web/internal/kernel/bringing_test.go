package kernel_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/deepemd/deepemd/core/project"
	. "github.com/deepemd/deepemd/web/internal/kernel"
	"github.com/deepemd/deepemd/web/internal/kerneltest"
	"github.com/deepemd/deepemd/web/internal/texts"
)

// entries returns files with the given paths. The content of a file is its path, except for the
// description of a project.
func entries(description string, paths ...string) []File {
	var list []File
	for _, p := range paths {
		content := p
		if strings.HasSuffix(p, "manifest.json") || strings.HasSuffix(p, "metadata.json") {
			content = description
		}
		list = append(list, File{Name: p[strings.LastIndexByte(p, '/')+1:], Source: content, Path: p})
	}
	return list
}

const teachable = `{"type":"image","version":"2.4.10","appdata":{}}`

// restored returns the examples in the order in which the engine restored them.
func restored(e *kerneltest.Engine) []string {
	var ids []string
	for _, call := range e.Calls() {
		if rest, ok := strings.CutPrefix(call, "restore "); ok {
			ids = append(ids, strings.Fields(rest)[1:]...)
		}
	}
	return ids
}

// An import is saved before a notice reports it, although the engine is busy.
func TestAnImportIsSavedBeforeItIsReported(t *testing.T) {
	for _, archive := range [][]File{entries("", "pens/1.jpg", "cups/2.jpg"), entries(teachable, "Ja-!-0.jpg", "Nein-!-0.jpg", "manifest.json")} {
		kerneltest.Bubble(t, func(t *testing.T) {
			s, store := kerneltest.New(), kerneltest.NewStore()
			s.Project.StoreReady(store)
			store.Archive = archive
			s.Project.BringFile(File{Name: "things.zip", Source: "the file"}, "")
			kerneltest.Rest(SaveInterval)
			if kept := outlineOf(store.Doc(s.Project.State().ID)); noticed(s) == "" || kept != outline(s) {
				t.Errorf("the notice says %q, kept is %s, the page shows %s", noticed(s), kept, outline(s))
			}
		})
	}
}

// A class that is removed while its files are read comes back with them.
func TestAnImportOfARemovedClass(t *testing.T) {
	kerneltest.Bubble(t, func(t *testing.T) {
		s, store := kerneltest.New(), kerneltest.NewStore()
		s.Project.StoreReady(store)
		id := kerneltest.IDs(s)[0]
		s.Project.Watch(func() {
			if s.Project.State().Taking != nil {
				s.Classes.Remove(id)
			}
		})
		s.Project.Bringing(id)(entries("", "cups/1.jpg", "cups/2.jpg"))
		kerneltest.Rest(SaveInterval)
		classes := s.Classes.List()
		if last := classes[len(classes)-1]; last.Label != "cups" || len(last.Examples) != 2 {
			t.Errorf("the classes are %s, want cups with 2 examples", outline(s))
		}
	})
}

func noticed(s *Kernel) string {
	var all []string
	for _, n := range s.Notices.List() {
		all = append(all, n.Title+" / "+n.Text)
	}
	return strings.Join(all, "\n")
}

// A project of Teachable Machine becomes a project: it is shown and saved before the engine is
// loaded, then embedded, alternating between the classes.
func TestAForeignProject(t *testing.T) {
	kerneltest.Bubble(t, func(t *testing.T) {
		s, e, store := kerneltest.New(), &kerneltest.Engine{}, kerneltest.NewStore(kerneltest.Cups())
		s.Project.StoreReady(store)
		var paths []string
		for i := range 10 {
			paths = append(paths, fmt.Sprintf("Ja-!-%d.jpg", i))
		}
		for i := range 6 {
			paths = append(paths, fmt.Sprintf("Nein-!-%d.jpg", i))
		}
		store.Archive = entries(teachable, append(paths, "manifest.json", "readme.txt")...)
		s.Project.BringFile(File{Name: "Zeichen.tm", Source: "the file"}, "")
		kerneltest.Rest(2 * time.Second)

		classes := s.Classes.List()
		if len(classes) != 2 || classes[0].Label != "Ja" || len(classes[0].Examples) != 10 || len(classes[1].Examples) != 6 {
			t.Fatalf("the page shows %s", outline(s))
		}
		state := s.Project.State()
		if state.Name != "Zeichen" || state.Stage != Saved || state.Learning == nil || *state.Learning != (Progress{0, 16}) {
			t.Errorf("before the engine is there: %+v, learning %v", state, state.Learning)
		}
		if got := outlineOf(store.Doc(state.ID)); got != outline(s) {
			t.Errorf("kept is %s, the page shows %s", got, outline(s))
		}
		for i, taken := range store.Taken {
			if taken.File.Source != paths[i] {
				t.Fatalf("example %d is made of %v", i, taken.File.Source)
			}
		}
		if got := noticed(s); !strings.Contains(got, "16 examples in 2 classes") || !strings.Contains(got, "1 other file") {
			t.Errorf("the page says %q", got)
		}

		s.EngineReady(e)
		kerneltest.Rest(time.Second)
		taught := restored(e)
		if len(taught) != 16 || s.Project.State().Learning != nil {
			t.Errorf("the engine was taught %d, still learning %v", len(taught), s.Project.State().Learning)
		}
		if second := classes[1].Examples[0]; !slices.Contains(taught[:2*EmbeddedAtOnce], second) {
			t.Errorf("the second class comes late: %q", taught)
		}
		if s.Classes.History().Undo != NoStep {
			t.Error("opening can be undone")
		}
	})
}

// A page that was closed while it embedded examples continues: embedded ones are restored first,
// the rest in the background.
func TestGoingOn(t *testing.T) {
	kerneltest.Bubble(t, func(t *testing.T) {
		doc := kerneltest.Cups()
		doc.Unseen = []string{"example-8", "example-40"}
		s, e := kerneltest.New(), &kerneltest.Engine{}
		s.EngineReady(e)
		s.Project.StoreReady(kerneltest.NewStore(doc))
		kerneltest.Rest(time.Second)
		if got, want := restored(e), []string{"example-7", "example-40", "example-8"}; !slices.Equal(got, want) {
			t.Errorf("the engine was taught %q, want %q", got, want)
		}
	})
}

// stopping stops the import while files are read.
type stopping struct {
	*kerneltest.Store
	stop func()
}

func (s stopping) Take(examples []Taken, fresh bool, progress func(done, all int) bool) error {
	s.stop()
	return s.Store.Take(examples, fresh, progress)
}

// An import that is stopped while it reads files adds nothing. Afterwards, embedded examples stay.
func TestStoppedImports(t *testing.T) {
	kerneltest.Bubble(t, func(t *testing.T) {
		s := kerneltest.New()
		stop := func() {}
		s.Project.StoreReady(stopping{kerneltest.NewStore(), func() { stop() }})
		bring := func(want string) {
			t.Helper()
			s.Project.Bringing("")(entries("", "x/cup/1.png", "x/cup/2.png", "x/pen/1.png"))
			kerneltest.Rest(time.Second)
			if state := s.Project.State(); fmt.Sprint(s.Classes.Examples()) != want || state.Taking != nil {
				t.Errorf("%d examples, want %s; reading %v", s.Classes.Examples(), want, state.Taking)
			}
		}
		stop = s.Project.StopImport
		bring("0")
		stop = func() {}
		bring("3")
		s.Project.StopImport()
		if n := s.Classes.Examples(); n != 0 || s.Project.State().Learning != nil {
			t.Errorf("%d examples after stopping, %+v", n, s.Project.State().Learning)
		}
		for _, n := range s.Notices.List() {
			if n.Offer != nil {
				n.Offer.Do()
			}
		}
		if n := s.Classes.Examples(); n != 3 {
			t.Errorf("%d examples after undoing, want 3", n)
		}
	})
}

// A folder of classes gives its name to a new project, unless that has examples or a name.
func TestFoldersNameTheProject(t *testing.T) {
	kerneltest.Run(t, func(t *testing.T, s *Kernel, _ *kerneltest.Engine, _ *kerneltest.Camera, wait func()) {
		s.Project.StoreReady(kerneltest.NewStore())
		for _, c := range []struct{ file, want string }{{"cats/1.png", "Project 1"}, {"waste/glass/1.png waste/paper/1.png", "waste"}, {"fruit/apple/1.png fruit/pear/1.png", "waste"}} {
			s.Project.Bringing("")(entries("", strings.Fields(c.file)...))
			kerneltest.Rest(time.Second)
			if got := s.Project.State().Name; got != c.want {
				t.Errorf("after %s the project is called %q, want %q", c.file, got, c.want)
			}
			if c.want == "Project 1" {
				s.Classes.Undo()
				wait()
			}
		}
	})
}

// Folders fill classes of their names, then unnamed classes, then new ones, in one undoable step.
func TestFolders(t *testing.T) {
	kerneltest.Run(t, func(t *testing.T, s *Kernel, e *kerneltest.Engine, _ *kerneltest.Camera, wait func()) {
		store := kerneltest.NewStore()
		s.Project.StoreReady(store)
		s.Classes.Rename(kerneltest.IDs(s)[1], "Cup")
		s.AddFiles(kerneltest.IDs(s)[1], []File{{Name: "a", Source: "a"}})
		kerneltest.Rest(time.Second)
		before, nothing := outline(s), s.Texts().Class.Nothing
		if !s.Project.Begun() {
			t.Error("a project with an example is not begun")
		}

		s.Project.Bringing("")(entries("", "desk/cup/1.png", "desk/cup/2.png", "desk/Pen/1.png", "desk/Key/1.png", "desk/"+nothing+"/1.png"))
		kerneltest.Rest(time.Second)
		var got []string
		for _, c := range append(s.Classes.List(), s.Classes.Nothing()...) {
			got = append(got, fmt.Sprintf("%s %d", c.Label, len(c.Examples)))
		}
		if want := []string{"Key 1", "Cup 3", "Pen 1", nothing + " 1"}; !slices.Equal(got, want) {
			t.Errorf("the page shows %q, want %q", got, want)
		}
		if n := len(restored(e)); n != 5 {
			t.Errorf("the engine was taught %d examples", n)
		}
		s.Classes.Undo()
		kerneltest.Rest(time.Second)
		if got := outline(s); got != before {
			t.Errorf("after one step back the page shows %s, want %s", got, before)
		}
		s.Classes.Redo()
		kerneltest.Rest(time.Second)
		if n := s.Classes.Examples(); n != 6 {
			t.Errorf("%d examples after they were brought again", n)
		}
	})
}

// Folders whose listing ends after another project was opened are not for its classes.
func TestFoldersStayWithTheirProject(t *testing.T) {
	for _, c := range []struct {
		files  string
		leaves bool
		want   int
	}{
		{"x/cup/1.png x/cup/2.png", false, 2},
		{"x/cup/1.png x/cup/2.png", true, 3},
		{"x/cup/1.png x/cup/2.png x/pen/1.png", true, 3},
	} {
		kerneltest.Run(t, func(t *testing.T, s *Kernel, _ *kerneltest.Engine, _ *kerneltest.Camera, _ func()) {
			s.Project.StoreReady(kerneltest.NewStore(kerneltest.Cups()))
			s.Project.New()
			kerneltest.Rest(time.Second)
			bring := s.Project.Bringing("class-1")
			if c.leaves {
				s.Project.Open(kerneltest.Cups().ID)
				kerneltest.Rest(time.Second)
			}
			bring(entries("", strings.Fields(c.files)...))
			kerneltest.Rest(time.Second)
			if n := s.Classes.Examples(); n != c.want {
				t.Errorf("%s, another project was opened: %v; %d examples, want %d", c.files, c.leaves, n, c.want)
			}
		})
	}
	kerneltest.Run(t, func(t *testing.T, s *Kernel, _ *kerneltest.Engine, _ *kerneltest.Camera, _ func()) {
		s.Project.Bringing("class-1")(entries("", "x/cup/1.png", "x/cup/2.png"))
		s.Project.StoreReady(kerneltest.NewStore(kerneltest.Cups()))
		kerneltest.Rest(time.Second)
		if n := s.Classes.Examples(); n != 5 {
			t.Errorf("%d examples of folders that came before the store, want 5 with those of its project", n)
		}
	})
}

// On the stage, folders and archives are tested, not taught. Pictures that are dropped outside all
// targets are tested too.
func TestFoldersOnTheStage(t *testing.T) {
	kerneltest.Run(t, func(t *testing.T, s *Kernel, _ *kerneltest.Engine, _ *kerneltest.Camera, _ func()) {
		store := kerneltest.NewStore()
		s.Project.StoreReady(store)
		store.Archive = entries("", "set/cup/1.png", "set/pen/2.png", "set/pen/3.png")
		for name, c := range map[string]struct {
			drop func()
			want string
		}{
			"a folder":           {func() { s.Showing()(store.Archive[:2]) }, "1.png of 2"},
			"an archive":         {func() { s.ShowPictures(File{Name: "set.zip", Source: "zip"}) }, "1.png of 3"},
			"pictures elsewhere": {func() { s.Open([]File{{Name: "a.png", Source: "a"}, {Name: "b.png", Source: "b"}}) }, "a.png of 2"},
		} {
			s.Live.DropPicture()
			c.drop()
			kerneltest.Rest(time.Second)
			got := "nothing"
			if picture := s.Live.Shown.Picture(); picture != nil {
				_, all := s.Live.Shown.Place()
				got = fmt.Sprintf("%s of %d", picture.Name, all)
			}
			if got != c.want || s.Classes.Examples() > 0 {
				t.Errorf("%s: the stage shows %s with %d examples, want %s", name, got, s.Classes.Examples(), c.want)
			}
		}
		s.Showing()(nil)
		if got := noticed(s); !strings.Contains(got, s.Texts().Bring.NoExamples) {
			t.Errorf("after an empty folder the page says %q", got)
		}
	})
}

// Examples that are undone before the engine has embedded them never reach it until redo. Other
// operations come first.
func TestUndoWhileLearning(t *testing.T) {
	kerneltest.Run(t, func(t *testing.T, s *Kernel, e *kerneltest.Engine, _ *kerneltest.Camera, wait func()) {
		s.Project.StoreReady(kerneltest.NewStore())
		var paths []string
		for i := range 400 {
			paths = append(paths, fmt.Sprintf("x/cup/%d.png", i))
		}
		slow := make(chan struct{})
		e.Mu.Lock()
		e.Fail = func(call string) error {
			if strings.HasPrefix(call, "restore") {
				<-slow
			}
			return nil
		}
		e.Mu.Unlock()
		s.Project.Bringing("")(entries("", paths...))
		kerneltest.Rest(time.Second)
		s.Classes.Undo()
		close(slow)
		kerneltest.Rest(time.Second)
		first := len(restored(e))
		if first > EmbeddedAtOnce {
			t.Errorf("the engine was taught %d examples that were taken back", first)
		}
		if forgotten := strings.Count(strings.Join(e.Calls(), "\n"), "forget "); forgotten > first {
			t.Errorf("it was to forget %d of %d", forgotten, first)
		}
		s.Classes.Redo()
		kerneltest.Rest(time.Second)
		if n := len(restored(e)); n < 400 || n > 400+EmbeddedAtOnce {
			t.Errorf("it was taught %d examples, want 400", n)
		}
	})
}

// Failures in a row end the embedding of imported examples; a lack of memory ends it at once.
func TestEmbeddingEndsAfterFailures(t *testing.T) {
	for _, c := range []struct {
		name          string
		code          string
		works         func(call int) bool
		calls, taught int
	}{
		{"two in a row", CodeBadImage, func(call int) bool { return call%3 == 0 }, 9, 12},
		{"always", CodeBadImage, func(int) bool { return false }, 3, 0},
		{"out of memory", CodeOutOfMemory, func(int) bool { return false }, 1, 0},
	} {
		kerneltest.Run(t, func(t *testing.T, s *Kernel, e *kerneltest.Engine, _ *kerneltest.Camera, wait func()) {
			s.Project.StoreReady(kerneltest.NewStore())
			var paths []string
			for i := range 3 * EmbeddedAtOnce {
				paths = append(paths, fmt.Sprintf("x/cup/%d.png", i))
			}
			calls := 0
			e.Mu.Lock()
			e.Fail = func(call string) error {
				if !strings.HasPrefix(call, "restore") {
					return nil
				}
				if calls++; c.works(calls) {
					return nil
				}
				return kerneltest.Failure(c.code, "failed")
			}
			e.Mu.Unlock()
			s.Project.Bringing("")(entries("", paths...))
			kerneltest.Rest(time.Second)
			taught := len(e.Examples())
			if calls != c.calls || taught != c.taught || s.Classes.Learning() != nil {
				t.Errorf("%s: %d calls, %d examples, %v, want %d, %d and an end", c.name, calls, taught, s.Classes.Learning(), c.calls, c.taught)
			}
			if taught == 0 {
				return
			}
			s.Classes.RemoveExamples(s.Classes.List()[0].Examples[0])
			kerneltest.Rest(time.Second)
			if left := len(e.Examples()); left != taught-1 {
				t.Errorf("%s: one of %d examples was removed, the engine knows %d", c.name, taught, left)
			}
		})
	}
}

// A file that is not an image leaves its class and the memory, and a notice names it.
func TestBrokenPicturesLeave(t *testing.T) {
	kerneltest.Run(t, func(t *testing.T, s *Kernel, e *kerneltest.Engine, _ *kerneltest.Camera, wait func()) {
		store := kerneltest.NewStore()
		s.Project.StoreReady(store)
		e.Broken = map[string]string{"example-4": "2.png"}
		s.Project.Bringing("")(entries("", "x/cup/1.png", "x/cup/2.png", "x/pen/1.png"))
		kerneltest.Rest(time.Second)
		first := s.Classes.List()[0]
		if got := len(first.Examples); got+len(s.Classes.List()[1].Examples) != 2 {
			t.Errorf("the page shows %s", outline(s))
		}
		if got := noticed(s); !strings.Contains(got, "2.png") || !strings.Contains(got, "2 examples in 2 classes") {
			t.Errorf("the page says %q", got)
		}
		if want := []string{"example-4"}; !slices.Equal(store.Forgotten, want) {
			t.Errorf("%v were let go of, want %v", store.Forgotten, want)
		}
	})
}

// The notices count the examples that stay, and mention others only if there are any.
func TestImportsOfBrokenPictures(t *testing.T) {
	for _, c := range []struct {
		broken []string
		want   string
		others bool
	}{
		{[]string{"example-3", "example-4"}, "1 example in 1 class", true},
		{[]string{"example-3", "example-4", "example-5"}, "", false},
	} {
		kerneltest.Run(t, func(t *testing.T, s *Kernel, e *kerneltest.Engine, _ *kerneltest.Camera, wait func()) {
			s.Project.StoreReady(kerneltest.NewStore())
			e.Broken = map[string]string{}
			for _, id := range c.broken {
				e.Broken[id] = id + ".png"
			}
			s.Project.Bringing("")(entries("", "x/cup/1.png", "x/cup/2.png", "x/pen/1.png"))
			kerneltest.Rest(time.Second)
			if got := noticed(s); !strings.Contains(got, c.want) || strings.Contains(got, "in 0 classes") || strings.Contains(got, "The other pictures were added") != c.others {
				t.Errorf("%d of 3 pictures are broken, and the page says %q", len(c.broken), got)
			}
		})
	}
}

// Images of one folder go to the class they were dropped on.
func TestOneFolderOnACard(t *testing.T) {
	kerneltest.Run(t, func(t *testing.T, s *Kernel, _ *kerneltest.Engine, _ *kerneltest.Camera, wait func()) {
		s.Project.StoreReady(kerneltest.NewStore())
		s.Classes.Rename(kerneltest.IDs(s)[1], "Mug")
		s.Project.Bringing(kerneltest.IDs(s)[1])(entries("", "holiday/1.png", "holiday/2.png"))
		kerneltest.Rest(time.Second)
		if c := s.Classes.List()[1]; c.Label != "Mug" || len(c.Examples) != 2 {
			t.Errorf("the page shows %s", outline(s))
		}
	})
}

func TestWhatCannotBeBrought(t *testing.T) {
	for _, test := range []struct {
		description string
		paths       []string
		want        string
	}{
		{`{"type":"pose","appdata":{}}`, []string{"Up-!-0.jpg", "manifest.json"}, texts.In("en").Bring.Poses("Teachable Machine")},
		{`{"type":"audio","appdata":{}}`, []string{"manifest.json"}, texts.In("en").Bring.Sounds("Teachable Machine")},
		{`{"tfjsSpeechCommandsVersion":"0.5"}`, []string{"metadata.json", "samples/0_0.png"}, texts.In("en").Bring.Sounds("genai-tm")},
		{"", []string{"a/notes.txt"}, texts.In("en").Bring.NoExamples},
		{"{", []string{"Up-!-0.jpg", "manifest.json"}, texts.In("en").Reason(CodeBadZip)},
		{"", slices.Repeat([]string{"a/1.png"}, project.MaxExamples+1), texts.In("en").Reason(CodeTooMany)},
	} {
		kerneltest.Run(t, func(t *testing.T, s *Kernel, _ *kerneltest.Engine, _ *kerneltest.Camera, wait func()) {
			store := kerneltest.NewStore()
			store.Archive = entries(test.description, test.paths...)
			s.Project.StoreReady(store)
			before := outline(s)
			s.Project.BringFile(File{Name: "x.tm", Source: "the file"}, "")
			kerneltest.Rest(time.Second)
			if got := noticed(s); !strings.Contains(got, test.want) || !strings.Contains(got, "x.tm") {
				t.Errorf("%s: the page says %q, want %q", test.description, got, test.want)
			}
			if outline(s) != before || store.Saves > 0 {
				t.Errorf("%s: the page shows %s", test.description, outline(s))
			}
		})
	}
}

// A file that cannot be read ends the import of its folder, and is named.
func TestUnreadableFilesInFolders(t *testing.T) {
	kerneltest.Run(t, func(t *testing.T, s *Kernel, _ *kerneltest.Engine, _ *kerneltest.Camera, _ func()) {
		store := kerneltest.NewStore()
		store.Fail["Take"] = kerneltest.Failure(CodeUnreadable, "set/cup/1.png")
		s.Project.StoreReady(store)
		s.Project.Bringing("")(entries("", "set/cup/1.png", "set/pen/2.png"))
		kerneltest.Rest(time.Second)
		if got := noticed(s); !strings.Contains(got, "set/cup/1.png") || !strings.Contains(got, "moved or changed") || s.Classes.Examples() > 0 {
			t.Errorf("%d examples; the page says %q", s.Classes.Examples(), got)
		}
	})
}

// A project file that a download has renamed to .zip opens as a project.
func TestAProjectNamedZip(t *testing.T) {
	kerneltest.Run(t, func(t *testing.T, s *Kernel, _ *kerneltest.Engine, _ *kerneltest.Camera, wait func()) {
		store := kerneltest.NewStore()
		store.Archive = entries(`{"format":"deepemd-project"}`, "manifest.json", "pictures/00001.png")
		store.File = kerneltest.Cups()
		s.Project.StoreReady(store)
		s.Project.BringFile(File{Name: "cups.zip", Source: "the file"}, "")
		kerneltest.Rest(time.Second)
		if got := s.Project.State().Name; got != "Cups" {
			t.Errorf("%s is open: %s", got, noticed(s))
		}
	})
}
