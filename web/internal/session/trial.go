package session

import (
	"context"
	"slices"
	"strings"

	"github.com/deepemd/deepemd/web/internal/texts"
)

// mostWrong is how many of the pictures that were taken for another class are
// remembered to be shown.
const mostWrong = 60

// TrialState is how far a test with pictures of known classes is, and what has come
// of it.
type TrialState struct {
	Running  bool
	Progress Progress
	// Counts are pictures by the class of their folder and the class that they were
	// taken for; "" stands for none of the classes, in both.
	Counts map[[2]string]int
	Right  int
	All    int
	Wrong  []Wrong
	Broken []string // files that hold no picture
	// Others are the names of folders of no class, whose pictures are unknown.
	Others []string
}

// Entry is a file of a folder or an archive.
type Entry struct {
	File File
	Path string // from the folder or archive on, with slashes
}

// Wrong is a picture that was taken for another class.
type Wrong struct {
	File  File
	Class string // "" for none
	Taken string
}

type trial struct {
	TrialState
	stop context.CancelFunc
}

// Trial returns how far a test is; nil before the first.
func (s *Session) Trial() *TrialState {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.trial == nil {
		return nil
	}
	state := s.trial.TrialState
	state.Counts = map[[2]string]int{}
	for k, n := range s.trial.Counts {
		state.Counts[k] = n
	}
	state.Wrong = slices.Clone(state.Wrong)
	return &state
}

// StartTrial classifies pictures whose folders say what they show, by the names of
// the classes. Pictures in other folders count as unknown.
func (s *Session) StartTrial(entries []Entry) {
	s.StopTrial()
	ctx, stop := context.WithCancel(context.Background())
	t := &trial{TrialState{Running: true, Counts: map[[2]string]int{}}, stop}
	var tests []Wrong
	ready := false
	s.update(func() {
		if s.engine == nil {
			return
		}
		for _, entry := range entries {
			label, ok := folderOf(entry.Path)
			if !ok {
				continue
			}
			id := ""
			for _, c := range s.classes {
				if strings.EqualFold(c.Label, label) && len(c.Examples) > 0 && !c.Disabled {
					id = c.ID
				}
			}
			if id == "" && !slices.Contains(t.Others, label) {
				t.Others = append(t.Others, label)
			}
			tests = append(tests, Wrong{File: entry.File, Class: id})
		}
		ready = slices.ContainsFunc(tests, func(w Wrong) bool { return w.Class != "" })
		if ready {
			t.Progress.All = len(tests)
			s.trial = t
		}
	}, Trials)
	if !ready {
		stop()
		s.post(nothingToTest(len(tests)))
		return
	}
	settled := s.settled()
	go func() {
		<-settled
		s.runTrial(ctx, t, tests)
		s.update(func() { t.Running = false }, Trials)
	}()
}

// folderOf is the name of the folder that a file lies in.
func folderOf(path string) (name string, ok bool) {
	parts := strings.Split(path, "/")
	last := parts[len(parts)-1]
	if len(parts) < 2 || strings.HasPrefix(last, ".") || strings.Contains(path, "__MACOSX") {
		return "", false
	}
	return parts[len(parts)-2], true
}

func (s *Session) runTrial(ctx context.Context, t *trial, tests []Wrong) {
	for i, test := range tests {
		if ctx.Err() != nil {
			return
		}
		answer, err := s.engine.Classify(test.File.Source)
		if err != nil && codeOf(err) != CodeBadImage {
			s.trouble(err)
			return
		}
		taken := answer.Best()
		if s.Unknown(answer) {
			taken = ""
		}
		s.update(func() {
			t.Progress.Done = i + 1
			if err != nil {
				t.Broken = append(t.Broken, test.File.Name)
				return
			}
			t.Counts[[2]string{test.Class, taken}]++
			t.All++
			switch {
			case taken == test.Class:
				t.Right++
			case len(t.Wrong) < mostWrong:
				test.Taken = taken
				t.Wrong = append(t.Wrong, test)
			}
		}, Trials)
	}
}

// StopTrial ends a test; what has come of it so far stays.
func (s *Session) StopTrial() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.trial != nil {
		s.trial.stop()
	}
}

// CloseTrial ends a test and puts its outcome away.
func (s *Session) CloseTrial() {
	s.StopTrial()
	s.update(func() { s.trial = nil }, Trials)
}

// ArchiveUnreadable says that a folder or archive could not be read.
func (s *Session) ArchiveUnreadable(name string) {
	s.post(Notice{Key: noticeFiles, Kind: Warning, say: func(t *texts.Texts) (title, text string) {
		return t.Improve.NothingToTest, t.Improve.BadZip(name)
	}})
}

func nothingToTest(pictures int) Notice {
	return Notice{Key: noticeFiles, Kind: Warning, say: func(t *texts.Texts) (title, text string) {
		if pictures > 0 {
			return t.Improve.NothingToTest, t.Improve.NoMatch
		}
		return t.Improve.NothingToTest, t.Improve.NoFolders
	}}
}

func setupRefused(err error) Notice {
	return Notice{Key: noticeEngine, Kind: Warning, say: func(t *texts.Texts) (title, text string) { return t.Setup.Refused, reason(t, err) }}
}
