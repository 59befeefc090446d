package session

import (
	"context"
	"time"
)

// CaptureInterval is the time from one example to the next while the capture
// button is held: about eight a second.
const CaptureInterval = 125 * time.Millisecond

// capture is a held capture button.
type capture struct {
	classID string
	stop    func()
}

// Capture takes examples of a class from the camera until Release is called:
// one at once, then one every CaptureInterval, or as fast as the engine is.
func (s *Session) Capture(classID string) {
	s.Release()
	s.mu.Lock()
	camera, on := s.camera, s.cameraState.Stage == CameraOn
	s.mu.Unlock()
	if !on {
		s.post(captureWithoutCamera())
		return
	}
	ctx, stop := context.WithCancel(context.Background())
	s.update(func() { s.capture = &capture{classID, stop} }, Classes)
	settled, together := s.settled(), s.newBatch()
	go func() {
		<-settled
		if recorder, ok := camera.(Recorder); ok {
			s.record(ctx, classID, recorder, together)
		} else {
			s.takeExamples(ctx, classID, camera, together)
		}
		if ctx.Err() == nil {
			s.Release()
		}
	}()
}

// takeExamples adds what the camera shows until the context is done or it
// fails: at least once.
func (s *Session) takeExamples(ctx context.Context, classID string, camera Camera, together *batch) {
	tick := time.NewTicker(CaptureInterval)
	defer tick.Stop()
	for {
		s.wait(classID, 1)
		if err := s.add(classID, camera.Source(), together); err != nil {
			if codeOf(err) == CodeOutOfMemory {
				s.post(outOfMemory(err, s.exampleCount()))
			} else {
				s.trouble(err)
			}
			return
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		if ctx.Err() != nil {
			return
		}
	}
}

// Release ends a capture.
func (s *Session) Release() {
	s.update(func() {
		if s.capture != nil {
			s.capture.stop()
			s.capture = nil
		}
	}, Classes)
}

// Capturing returns the id of the class whose capture button is held, or "".
func (s *Session) Capturing() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.capture == nil {
		return ""
	}
	return s.capture.classID
}
