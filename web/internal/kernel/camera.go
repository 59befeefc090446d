package kernel

import (
	"cmp"
	"context"
)

// Cameras are the device's cameras and the video element that shows one of them; for sounds, its
// microphones, whose frames are the latest moments. Its errors are of type *Error with a code for
// cameras.
type Cameras interface {
	// Start shows the camera with the given id, a camera with the given Facing, or with "" any
	// camera. It blocks until there is a picture, and returns the camera.
	Start(id string) (Device, error)
	Stop()
	// Devices lists the cameras. Their names are blank until the user has allowed one.
	Devices() ([]Device, error)
	// NextFrame blocks until there is a new frame since its last return, or the context is done.
	NextFrame(ctx context.Context) error
	// Source returns the video.
	Source() Source
}

// Device is a camera.
type Device struct {
	ID, Name string
	Facing   Facing
}

// Facing is the direction of a camera, if the device reports it.
type Facing string

// Directions of cameras of phones and tablets. Camera.Start accepts them instead of an id.
const (
	FacingUnknown Facing = ""
	FacingPerson  Facing = "facing:user"
	FacingAway    Facing = "facing:environment"
)

// CameraStage is the stage of the camera.
type CameraStage int

// The stages of the camera.
const (
	CameraOff CameraStage = iota
	CameraStarting
	CameraOn
)

// CameraState is the camera in use, and the available cameras.
type CameraState struct {
	Stage   CameraStage
	Device  Device // in use
	Devices []Device
	Problem error // the reason why no camera could be started, or nil; see CameraTrouble
}

// Chosen reports whether there are cameras to choose from, even while the page changes the camera.
func (c CameraState) Chosen() bool { return c.Stage != CameraOff && len(c.Devices) > 0 }

// Turns reports whether there is a camera of the opposite direction.
func (c CameraState) Turns() bool {
	return c.Chosen() && c.Device.Facing != FacingUnknown && len(c.Devices) > 1
}

// Camera controls the camera.
type Camera struct {
	Part
	cameras Cameras
	state   CameraState
	stop    context.CancelFunc // ends Live.watch
	late    bool               // Stop was called while the camera starts
	wanted  string             // the id of the latest start
	starts  int                // number of the latest start; Ended raises it, which drops a start in progress
}

// State returns the camera in use.
func (c *Camera) State() CameraState { return Get(&c.Part, &c.state) }

// Connect sets the device's cameras.
func (c *Camera) Connect(cameras Cameras) { c.Update(func() { c.cameras = cameras }) }

// running returns the cameras, and whether one of them is on.
func (c *Camera) running() (cameras Cameras, on bool) {
	c.Lock()
	defer c.Unlock()
	return c.cameras, c.state.Stage == CameraOn
}

// Start starts the camera with the given id, or another one than before, and classifies its frames. While a camera
// starts, an id makes another one start after it.
func (c *Camera) Start(id string) {
	var cameras Cameras
	again, start := false, 0
	c.Update(func() {
		again, c.late = c.late, false
		if c.cameras == nil || c.state.Stage == CameraStarting {
			c.wanted = cmp.Or(id, c.wanted)
			return
		}
		cameras, c.wanted = c.cameras, id
		c.stop()
		c.starts++
		start = c.starts
		c.state.Stage, c.state.Problem = CameraStarting, nil
	})
	if cameras == nil && !again {
		return
	}
	c.K.Live.DropPicture()
	c.K.Capture.Release()
	c.K.Notices.Dismiss(NoticeCamera)
	if cameras == nil {
		return
	}
	go func() {
		for {
			device, err := cameras.Start(id)
			var devices []Device
			if err == nil {
				devices, _ = cameras.Devices() // the list is optional
			}
			c.Lock()
			late, dropped, off, wanted := c.late, c.starts != start, c.state.Stage == CameraOff, c.wanted
			c.Unlock()
			switch {
			case dropped:
				if off { // otherwise the video belongs to a later start
					cameras.Stop()
				}
			case late:
				cameras.Stop()
				c.Update(func() { c.state.Stage = CameraOff })
			case wanted != id:
				id = wanted
				continue
			case err != nil:
				c.failed(err)
			default:
				ctx, stop := context.WithCancel(context.Background())
				c.Update(func() { c.state, c.stop = CameraState{Stage: CameraOn, Device: device, Devices: devices}, stop })
				c.K.Live.watch(ctx, cameras)
			}
			return
		}
	}()
}

// Wanted reports whether a camera is on, or is starting and was not stopped since.
func (c *Camera) Wanted() bool {
	c.Lock()
	defer c.Unlock()
	return c.state.Stage == CameraOn || c.state.Stage == CameraStarting && !c.late
}

// Turn starts a camera of the opposite direction.
func (c *Camera) Turn() {
	other := FacingPerson
	if c.State().Device.Facing == FacingPerson {
		other = FacingAway
	}
	c.Start(string(other))
}

// Stop stops the camera; if it is starting, as soon as it has started.
func (c *Camera) Stop() {
	c.K.Capture.Release()
	var on Cameras
	c.Update(func() {
		c.late = c.state.Stage == CameraStarting
		if c.state.Stage == CameraOn {
			c.stop()
			c.state.Stage = CameraOff
			on = c.cameras
		}
	})
	if on != nil {
		on.Stop()
		c.K.Live.Clear()
	}
}

// Ended reports that the camera was disconnected.
func (c *Camera) Ended() {
	c.Stop()
	c.Update(func() {
		c.starts++
		c.late = false
	})
	c.failed(&Error{Code: CodeUnplugged, Message: "the camera was unplugged or taken away"})
}

// DevicesChanged reports that a camera was plugged in or unplugged.
func (c *Camera) DevicesChanged() {
	cameras, _ := c.running()
	go func() {
		if devices, err := cameras.Devices(); err == nil {
			c.Update(func() { c.state.Devices = devices })
		}
	}()
}

func (c *Camera) failed(err error) {
	c.Update(func() { c.state.Stage, c.state.Problem = CameraOff, err })
}
