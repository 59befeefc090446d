package session

import (
	"context"

	"github.com/deepemd/deepemd/web/internal/texts"
)

// Camera is the device's cameras and the video that shows one of them. Its
// errors are of type *Error with one of the codes for cameras.
type Camera interface {
	// Start shows the camera with the given id, one that looks the given way (a
	// Facing), or any for "", and blocks until there is a picture. It returns
	// which camera that is.
	Start(id string) (Device, error)
	// Stop switches the camera off.
	Stop()
	// Devices lists the cameras. Their names are blank until one was allowed.
	Devices() ([]Device, error)
	// NextFrame blocks until there is a frame that was not there when it last
	// returned, or the context is done.
	NextFrame(ctx context.Context) error
	// Source is the video.
	Source() Source
}

// Device is a camera.
type Device struct {
	ID, Name string
	Mirrored bool // it looks at the person, who expects a mirror
	Facing   Facing
}

// Facing is where a camera looks, as far as the device says.
type Facing string

// Where cameras of phones and tablets look. They can be given to StartCamera in
// place of an id.
const (
	FacingUnknown Facing = ""
	FacingPerson  Facing = "facing:user"
	FacingAway    Facing = "facing:environment"
)

// CameraStage is whether a camera is on.
type CameraStage int

// The stages of the camera.
const (
	CameraOff CameraStage = iota
	CameraStarting
	CameraOn
)

// CameraState says which camera is on and which others there are.
type CameraState struct {
	Stage   CameraStage
	Device  Device // the one that is on
	Devices []Device
	Problem *Notice // why it is off although it was asked for, or nil
}

// Camera returns the state of the camera.
func (s *Session) Camera() CameraState {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.cameraState
}

// CameraConnected hands the session its camera.
func (s *Session) CameraConnected(camera Camera) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.camera = camera
}

// StartCamera switches a camera on, or over to the one with the given id, and
// classifies what it shows from then on.
func (s *Session) StartCamera(id string) {
	var camera Camera
	s.update(func() {
		if s.camera == nil || s.cameraState.Stage == CameraStarting {
			return
		}
		camera = s.camera
		s.haltLive()
		s.cameraState.Stage = CameraStarting
		s.cameraState.Problem = nil
		s.picture = nil
	}, Cameras, Live, Reasons)
	if camera == nil {
		return
	}
	s.Release()
	s.dismiss(noticeCamera)
	go func() {
		device, err := camera.Start(id)
		if err != nil {
			s.cameraFailed(err)
			return
		}
		devices, _ := camera.Devices() // Without the list, this one still works.
		ctx, stop := context.WithCancel(context.Background())
		s.update(func() {
			s.cameraState = CameraState{Stage: CameraOn, Device: device, Devices: devices}
			s.stopLive = stop
		}, Cameras)
		s.watchCamera(ctx, camera)
	}()
}

// TurnCamera goes over to the camera that looks the other way.
func (s *Session) TurnCamera() {
	other := FacingPerson
	if s.Camera().Device.Facing == FacingPerson {
		other = FacingAway
	}
	s.StartCamera(string(other))
}

// Turns reports whether there is a camera that looks the other way.
func (c CameraState) Turns() bool {
	return c.Stage == CameraOn && c.Device.Facing != FacingUnknown && len(c.Devices) > 1
}

// StopCamera switches the camera off.
func (s *Session) StopCamera() {
	s.Release()
	s.update(func() {
		if s.cameraState.Stage != CameraOn {
			return
		}
		s.haltLive()
		s.camera.Stop()
		s.cameraState.Stage = CameraOff
	}, Cameras, Live, Reasons)
}

// CameraEnded reports that the camera that was on has gone.
func (s *Session) CameraEnded() {
	s.StopCamera()
	s.cameraFailed(&Error{Code: CodeUnplugged, Message: "the camera was unplugged or taken away"})
}

// CamerasChanged reports that a camera was plugged in or out.
func (s *Session) CamerasChanged() {
	s.mu.Lock()
	camera := s.camera
	s.mu.Unlock()
	go func() {
		if devices, err := camera.Devices(); err == nil {
			s.update(func() { s.cameraState.Devices = devices }, Cameras)
		}
	}()
}

func (s *Session) cameraFailed(err error) {
	s.update(func() {
		problem := cameraFailed(err).in(texts.Current())
		s.cameraState.Stage = CameraOff
		s.cameraState.Problem = &problem
	}, Cameras, Live)
}

// haltLive ends the live answers. The lock is held.
func (s *Session) haltLive() {
	if s.stopLive != nil {
		s.stopLive()
		s.stopLive = nil
	}
	s.live = Answer{}
	s.rate = rate{}
	s.forgetWhy()
}
