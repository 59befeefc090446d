package session

import (
	"slices"
	"strings"
)

// AddFiles makes each of the files an example of the class. Files that hold no
// picture are named in a notice; the others are added all the same. A project file
// among them is opened instead.
func (s *Session) AddFiles(classID string, files []File) {
	files = s.withoutProjects(files)
	if len(files) == 0 {
		return
	}
	s.wait(classID, len(files))
	settled, together := s.settled(), s.newBatch()
	go func() {
		<-settled
		var refused []refusal
		for i, file := range files {
			err := s.add(classID, file.Source, together)
			switch codeOf(err) {
			case CodeBadImage, CodeBadSound, CodeSilent:
				refused = append(refused, refusal{file.Name, err})
			case CodeOutOfMemory:
				// The rest would meet the same end.
				s.wait(classID, -(len(files) - i - 1))
				s.post(outOfMemory(err, s.exampleCount()))
				return
			case CodeUnknown: // The class was removed meanwhile.
				return
			default:
				if err != nil {
					s.trouble(err)
				}
			}
		}
		if len(refused) > 0 {
			s.post(notPictures(refused))
		}
		s.reclassify()
	}()
}

// withoutProjects opens the first project file among files, and returns those that
// are none.
func (s *Session) withoutProjects(files []File) []File {
	isProject := func(f File) bool { return strings.HasSuffix(strings.ToLower(f.Name), ".deepemd") }
	if i := slices.IndexFunc(files, isProject); i >= 0 {
		s.OpenFile(files[i])
	}
	return slices.DeleteFunc(slices.Clone(files), isProject)
}

// RemoveExample forgets one example.
func (s *Session) RemoveExample(id string) {
	var found, tell bool
	s.update(func() {
		for i := range s.classes {
			c := &s.classes[i]
			if slices.Contains(c.Examples, id) {
				s.remember(StepRemoveExample, nil)
				found, tell = true, s.engine != nil
				c.Examples = slices.DeleteFunc(slices.Clone(c.Examples), func(e string) bool { return e == id })
				if len(c.Examples) == 0 {
					s.live = s.live.without(c.ID)
				}
			}
		}
	}, Classes, Live, Projects)
	if found {
		s.touch()
	}
	if tell {
		s.tell(func(e Engine) error { return e.RemoveExample(id) })
		s.reclassify()
	}
}

// newBatch returns a batch of the project that is open.
func (s *Session) newBatch() *batch {
	s.mu.Lock()
	defer s.mu.Unlock()
	return &batch{s.epoch}
}

// add makes the picture an example of the class: one that was announced with
// wait. It blocks until the engine has embedded it. Its error has CodeUnknown when
// the class, or the project, has gone meanwhile.
func (s *Session) add(classID string, source Source, together *batch) error {
	s.mu.Lock()
	id, gone := s.newID("example"), s.epoch != together.epoch
	s.mu.Unlock()
	if gone {
		return &Error{Code: CodeUnknown, Message: "another project was opened"}
	}
	err := s.engine.AddExample(classID, id, source)
	wanted := false
	s.update(func() {
		c := s.class(classID)
		if c == nil || s.epoch != together.epoch {
			return
		}
		wanted = true
		if c.Waiting--; err == nil {
			s.remember(StepAddExamples, together)
			c.Examples = append(c.Examples, id)
		}
	}, Classes, Projects)
	switch {
	case err != nil:
	case wanted:
		s.touch()
	default:
		s.tell(func(e Engine) error {
			_ = e.RemoveExample(id) // It went with its class, most likely.
			return nil
		})
	}
	return err
}

// wait announces n more pictures for a class, or takes back the announcement.
func (s *Session) wait(classID string, n int) {
	s.update(func() {
		if c := s.class(classID); c != nil {
			c.Waiting += n
		}
	}, Classes)
}

func (s *Session) exampleCount() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.examples()
}
