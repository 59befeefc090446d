package session

import (
	"context"

	"github.com/deepemd/deepemd/core/project"
)

// Sounds are told apart as pictures are: a microphone is a camera whose frames are the
// last moments. What differs is here. A page is of one kind, as its engine is.

// Recorder is a camera that makes takes of what happens while the capture button is
// held: a microphone.
type Recorder interface {
	// Record calls taken with each take until the context is done, and returns then, or
	// with the error that ended it. What is going on at the end is a last take.
	Record(ctx context.Context, taken func(Source)) error
}

// NewOfSounds returns a session like New's, for sounds.
func NewOfSounds() *Session {
	s := New()
	s.project.Kind = project.KindSound
	return s
}

// Hears reports whether the session is of sounds.
func (s *Session) Hears() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.project.Kind == project.KindSound
}

// ofKind returns the projects of the session's kind.
func (s *Session) ofKind(all []ProjectInfo) []ProjectInfo {
	s.mu.Lock()
	defer s.mu.Unlock()
	var some []ProjectInfo
	for _, p := range all {
		if p.Kind == s.project.Kind {
			some = append(some, p)
		}
	}
	return some
}

// record adds what a recorder takes until the context is done. Takes in which nothing is
// heard are left out.
func (s *Session) record(ctx context.Context, classID string, recorder Recorder, together *batch) {
	err := recorder.Record(ctx, func(take Source) {
		s.wait(classID, 1)
		err := s.add(classID, take, together)
		switch codeOf(err) {
		case CodeSilent, CodeUnknown:
		case CodeOutOfMemory:
			s.post(outOfMemory(err, s.exampleCount()))
		default:
			if err != nil {
				s.trouble(err)
			}
		}
	})
	if err != nil {
		s.trouble(err)
	}
}
