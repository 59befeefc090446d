package session

import "slices"

// AddFiles makes each of the files an example of the class. Files that hold no
// picture are named in a notice; the others are added all the same.
func (s *Session) AddFiles(classID string, files []File) {
	if len(files) == 0 {
		return
	}
	s.wait(classID, len(files))
	settled := s.settled()
	go func() {
		<-settled
		var refused []refusal
		for i, file := range files {
			err := s.add(classID, file.Source)
			switch codeOf(err) {
			case CodeBadImage:
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

// RemoveExample forgets one example.
func (s *Session) RemoveExample(id string) {
	var found bool
	s.update(func() {
		for i := range s.classes {
			c := &s.classes[i]
			if slices.Contains(c.Examples, id) {
				found = true
				c.Examples = slices.DeleteFunc(slices.Clone(c.Examples), func(e string) bool { return e == id })
				if len(c.Examples) == 0 {
					s.live = s.live.without(c.ID)
				}
			}
		}
	}, Classes, Live)
	if found {
		s.tell(func(e Engine) error { return e.RemoveExample(id) })
		s.reclassify()
	}
}

// add makes the picture an example of the class: one that was announced with
// wait. It blocks until the engine has embedded it.
func (s *Session) add(classID string, source Source) error {
	s.mu.Lock()
	id := s.newID("example")
	s.mu.Unlock()
	err := s.engine.AddExample(classID, id, source)
	s.update(func() {
		c := s.class(classID)
		if c == nil {
			return
		}
		c.Waiting--
		if err == nil {
			c.Examples = append(c.Examples, id)
		}
	}, Classes)
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
