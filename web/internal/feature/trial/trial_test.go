package trial

import (
	"slices"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/core/answer"
	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/web/internal/kernel"
	"github.com/deepemd/deepemd/web/internal/kerneltest"
)

func TestATrialCountsByFolder(t *testing.T) {
	kerneltest.Run(t, func(t *testing.T, s *kernel.Kernel, e *kerneltest.Engine, _ *kerneltest.Camera, wait func()) {
		tested := New(s)
		cup, pen := kerneltest.IDs(s)[0], kerneltest.IDs(s)[1]
		s.Classes.Rename(cup, "Cup")
		s.Classes.Rename(pen, "Pen")
		s.AddFiles(cup, kerneltest.Files("a"))
		s.AddFiles(pen, kerneltest.Files("b"))
		wait()
		entry := func(path string) kernel.File {
			return kernel.File{Name: path, Source: path, Path: path}
		}
		for path, want := range map[string]string{"new/other/1.jpg": s.Texts().Improve.NoMatch, "1.jpg": s.Texts().Improve.NoFolders} {
			tested.Start([]kernel.File{entry(path)})
			wait()
			if n := s.Notices.List(); tested.State() != nil || len(n) != 1 || n[0].Text != want {
				t.Errorf("a test of %s: %+v, notices %+v", path, tested.State(), n)
			}
		}
		e.Answer = kerneltest.Says(0, answer.Score{ID: cup, Score: 0.9}, answer.Score{ID: pen, Score: 0.1})
		e.Fail = func(call string) error {
			if strings.Contains(call, "text") {
				return kerneltest.Failure(kernel.CodeBadImage, "no picture")
			}
			return nil
		}
		tested.Start([]kernel.File{
			entry("new/cup/old/1.jpg"), entry("new/Pen/2.jpg"), entry("new/Pen/text"), entry("new/other/old/3.jpg"),
			entry("new/cup/4.jpg"), entry("new/loose.jpg"), entry("loose.jpg")})
		wait()
		trial := tested.State()
		if trial == nil || trial.Running || trial.All != 4 || trial.Right != 2 || trial.Progress != (kernel.Progress{Done: 5, All: 5}) {
			t.Fatalf("%+v, want 2 of 4 right", trial)
		}
		if trial.Counts[[2]string{pen, cup}] != 1 || trial.Counts[[2]string{"", cup}] != 1 || len(trial.Wrong) != 2 {
			t.Errorf("counts %v, wrong %+v", trial.Counts, trial.Wrong)
		}
		if trial.Best != 2 || trial.Known != 3 {
			t.Errorf("without unknown, %d of %d would be right, want 2 of 3", trial.Best, trial.Known)
		}
		if pairs := trial.Pairs(); len(pairs) != 2 || pairs[0].Class != "" || pairs[1].Class != pen || pairs[1].Taken != cup ||
			pairs[1].Count != 1 || len(pairs[1].Wrong) != 1 || pairs[1].Wrong[0].File.Name != "new/Pen/2.jpg" {
			t.Errorf("mistakes %+v, want one of an unknown thing and one of a pen", pairs)
		}
		if !slices.Equal(trial.Others, []string{"other"}) || len(trial.Broken) != 1 {
			t.Errorf("others %q, broken %q", trial.Others, trial.Broken)
		}
		e.Answer.Verdict = &answer.Verdict{Unknown: true}
		tested.Again()
		wait()
		if trial := tested.State(); trial.Right != 1 || trial.Counts[[2]string{cup, ""}] != 2 || trial.Best != 2 || trial.Known != 3 {
			t.Errorf("all unknown: %+v, want that right for one, and two right without unknown", trial)
		}
		tested.Close()
		if tested.State() != nil {
			t.Error("the test is still there")
		}
	})
}

// Folders are classes like in imports; a folder around the classes does not matter.
func TestATrialTakesFoldersLikeImports(t *testing.T) {
	kerneltest.Run(t, func(t *testing.T, s *kernel.Kernel, _ *kerneltest.Engine, _ *kerneltest.Camera, wait func()) {
		tested := New(s)
		labels := map[string]string{"": "-"}
		for i, label := range []string{"Cup", "Pen"} {
			id := kerneltest.IDs(s)[i]
			labels[id] = label
			s.Classes.Rename(id, label)
			s.AddFiles(id, kerneltest.Files(label))
		}
		wait()
		for name, c := range map[string]struct{ paths, want, others []string }{
			"deeper":             {[]string{"cup/a/1.jpg", "cup/b/2.jpg", "pen/3.jpg"}, []string{"Cup", "Cup", "Pen"}, nil},
			"the outer one":      {[]string{"all/cup/pen/1.jpg", "all/pen/2.jpg"}, []string{"Cup", "Pen"}, nil},
			"one class":          {[]string{"cup/1.jpg", "cup/2.jpg"}, []string{"Cup", "Cup"}, nil},
			"one class, deeper":  {[]string{"all/cup/a/1.jpg"}, []string{"Cup"}, nil},
			"beside the classes": {[]string{"all/1.jpg", "all/cup/1.jpg", "all/dog/a/1.jpg"}, []string{"Cup", "-"}, []string{"dog"}},
			"below another":      {[]string{"all/new/cup/1.jpg", "all/old/pen/2.jpg"}, []string{"Cup", "Pen"}, nil},
			"parts":              {[]string{"train/cup/1.jpg", "test/dog/2.jpg"}, []string{"Cup", "-"}, []string{"dog"}},
		} {
			var entries []kernel.File
			for _, path := range c.paths {
				entries = append(entries, kernel.File{Path: path})
			}
			tests, others := tested.sort(entries)
			var got []string
			for _, test := range tests {
				got = append(got, labels[test.Class])
			}
			if !slices.Equal(got, c.want) || !slices.Equal(others, c.others) {
				t.Errorf("%s: %q and others %q, want %q and %q", name, got, others, c.want, c.others)
			}
		}
	})
}

// A result is marked as old after changes, and the test can be repeated.
func TestATrialGrowsOld(t *testing.T) {
	kerneltest.Run(t, func(t *testing.T, s *kernel.Kernel, e *kerneltest.Engine, _ *kerneltest.Camera, wait func()) {
		tested := New(s)
		cup := kerneltest.IDs(s)[0]
		s.Classes.Rename(cup, "Cup")
		s.AddFiles(cup, kerneltest.Files("a"))
		wait()
		e.Answer = kerneltest.Says(0, answer.Score{ID: cup, Score: 1})
		tested.Start([]kernel.File{{Name: "1", Source: "1", Path: "cup/1.jpg"}})
		wait()
		old := func(want bool, after string) {
			t.Helper()
			wait()
			if trial := tested.State(); trial.All != 1 || trial.Old != want {
				t.Errorf("after %s old is %v, want %v: %+v", after, trial.Old, want, trial)
			}
		}
		old(false, "the test")
		s.Classes.Rename(cup, "Mug")
		s.Classes.Add()
		old(false, "another name and an empty class")
		s.Classes.Rename(cup, "Cup")
		s.AddFiles(cup, kerneltest.Files("b"))
		old(true, "another example")
		s.Classes.Undo()
		old(false, "undoing it")
		s.Setup.Choose(kernel.Balanced)
		old(true, "another mode")
		tested.Again()
		old(false, "the same test again")
		s.AddFiles(s.Classes.Nothing()[0].ID, kerneltest.Files("desk"))
		old(true, "an example of nothing")
		tested.Again()
		old(false, "the test once more")
		_, err := e.Train(func(int, int) {}, nil) // like the feature training
		require.NoError(t, err)
		old(true, "learning")

		// A change during a test makes its result old.
		e.Working = make(chan struct{})
		tested.Again()
		wait()
		s.Classes.Enable(kerneltest.IDs(s)[1], false)
		s.AddFiles(cup, kerneltest.Files("c"))
		wait()
		close(e.Working)
		old(true, "a change meanwhile")
		s.Classes.Undo()
		old(true, "a change meanwhile that was undone")
	})
}

// ofCups returns the trial of a project that has an example of a cup.
func ofCups(s *kernel.Kernel, wait func()) *Trial {
	tested := New(s)
	s.Classes.Rename(kerneltest.IDs(s)[0], "Cup")
	s.AddFiles(kerneltest.IDs(s)[0], kerneltest.Files("a"))
	wait()
	return tested
}

// An engine that fails ends the test.
func TestATrialThatFails(t *testing.T) {
	kerneltest.Run(t, func(t *testing.T, s *kernel.Kernel, e *kerneltest.Engine, _ *kerneltest.Camera, wait func()) {
		tested := ofCups(s, wait)
		e.Fail = func(call string) error { return kerneltest.Failure(kernel.CodeOutOfMemory, call) }
		tested.Start([]kernel.File{{Name: "1", Source: "1", Path: "cup/1.jpg"}, {Name: "2", Source: "2", Path: "cup/2.jpg"}})
		wait()
		if trial := tested.State(); trial.Running || trial.Progress.Done != 0 || len(trial.Broken) > 0 || len(s.Notices.List()) != 1 {
			t.Errorf("%+v and notices %q, want one failure", trial, kerneltest.Keys(s))
		}
	})
}

// A file that the browser cannot read is left out, and the test continues.
func TestATrialOfAnUnreadableFile(t *testing.T) {
	kerneltest.Run(t, func(t *testing.T, s *kernel.Kernel, e *kerneltest.Engine, _ *kerneltest.Camera, wait func()) {
		tested := ofCups(s, wait)
		e.Fail = func(call string) error {
			if strings.Contains(call, "gone") {
				return kerneltest.Failure(kernel.CodeUnreadable, "cup/1.jpg")
			}
			return nil
		}
		tested.Start([]kernel.File{{Name: "1.jpg", Source: "gone", Path: "cup/1.jpg"}, {Name: "2.jpg", Source: "2", Path: "cup/2.jpg"}})
		wait()
		if trial := tested.State(); trial.All != 1 || !slices.Equal(trial.Broken, []string{"1.jpg"}) || len(s.Notices.List()) > 0 {
			t.Errorf("%+v and notices %q", trial, kerneltest.Keys(s))
		}
	})
}

// All mistakes are counted, and some shown.
func TestATrialWithManyMistakes(t *testing.T) {
	kerneltest.Run(t, func(t *testing.T, s *kernel.Kernel, _ *kerneltest.Engine, _ *kerneltest.Camera, wait func()) {
		tested := ofCups(s, wait)
		tested.Start(slices.Repeat([]kernel.File{{Name: "1", Source: "1", Path: "cup/1.jpg"}}, mostWrong+10))
		wait()
		if pairs := tested.State().Pairs(); len(pairs) != 1 || pairs[0].Count != mostWrong+10 || len(pairs[0].Wrong) != mostWrong {
			t.Errorf("mistakes %+v", pairs)
		}
	})
}

func TestATrialCanBeStopped(t *testing.T) {
	kerneltest.Run(t, func(t *testing.T, s *kernel.Kernel, e *kerneltest.Engine, _ *kerneltest.Camera, wait func()) {
		tested := ofCups(s, wait)
		e.Working = make(chan struct{})
		before := len(e.Calls())
		for range 2 { // the second stops the first
			tested.Start([]kernel.File{{Name: "1", Source: "1", Path: "cup/1.jpg"}, {Name: "2", Source: "2", Path: "cup/2.jpg"}})
			wait()
		}
		tested.Stop()
		close(e.Working)
		wait()
		if trial := tested.State(); trial.Running || trial.Progress.Done != 1 {
			t.Errorf("%+v, want it stopped after the first", trial)
		}
		if calls := e.Calls()[before:]; len(calls) != 2 {
			t.Errorf("the engine was told %q, want one file of each test", calls)
		}
		s.Project.StoreReady(kerneltest.NewStore())
		s.Project.New()
		wait()
		if trial := tested.State(); trial != nil {
			t.Errorf("another project has the test %+v", trial)
		}
	})
}

func TestAFolderThatCannotBeRead(t *testing.T) {
	s := kerneltest.New()
	New(s).Unreadable("broken.zip")
	if n := s.Notices.List(); len(n) != 1 || n[0].Key != "files" || !strings.Contains(n[0].Text, "broken.zip") {
		t.Errorf("notices %+v, want one that names broken.zip", n)
	}
}

// A click on a mistake plays its own file, not the file of the same name that was there before.
func TestMistakesOfTheSameName(t *testing.T) {
	kerneltest.Run(t, func(t *testing.T, s *kernel.Kernel, e *kerneltest.Engine, _ *kerneltest.Camera, wait func()) {
		tested, seen := New(s), map[any]bool{}
		for i, id := range kerneltest.IDs(s) {
			s.Classes.Rename(id, []string{"Clap", "Click"}[i])
			s.AddFiles(id, kerneltest.Files("a"))
		}
		wait()
		e.Answer = kernel.Answer{Answer: answer.Answer{Verdict: &answer.Verdict{Unknown: true}}}
		for range 2 {
			var entries []kernel.File
			for _, folder := range []string{"clap", "click"} {
				entries = append(entries, kernel.File{Name: "1.wav", Source: folder, Path: folder + "/1.wav"})
			}
			tested.Start(entries)
			wait()
			for _, w := range tested.State().Wrong {
				_, identity := playing(w)
				seen[identity] = true
			}
		}
		if len(seen) != 4 {
			t.Errorf("%d handlers, want one for each of 4 files", len(seen))
		}
	})
}
