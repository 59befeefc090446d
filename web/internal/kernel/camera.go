package kernel

import "context"

// Cameras are the device's cameras and the video that shows one of them; on a page of
// sounds its microphones, whose frames are the last moments. Its errors are of type
// *Error with one of the codes for cameras.
type Cameras interface {
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

// Where cameras of phones and tablets look. They can be given to
// Camera.Start in place of an id.
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

// Chosen reports whether there are cameras to choose from: also while the page goes over
// from one to another.
func (c CameraState) Chosen() bool { return c.Stage != CameraOff && len(c.Devices) > 0 }

// Turns reports whether there is a camera that looks the other way.
func (c CameraState) Turns() bool {
	return c.Chosen() && c.Device.Facing != FacingUnknown && len(c.Devices) > 1
}

// Camera is which camera is on.
type Camera struct {
	Part
	cameras Cameras
	stage   CameraStage
	device  Device
	devices []Device
	problem *Notice
	stop    context.CancelFunc // ends watch
}

// State returns which camera is on.
func (c *Camera) State() CameraState {
	t := c.K.Texts()
	c.Lock()
	defer c.Unlock()
	state := CameraState{Stage: c.stage, Device: c.device, Devices: c.devices}
	if c.problem != nil {
		problem := c.problem.in(t)
		state.Problem = &problem
	}
	return state
}

// Connect hands over the device's cameras.
func (c *Camera) Connect(cameras Cameras) {
	c.Lock()
	defer c.Unlock()
	c.cameras = cameras
}

// running returns the cameras if one of them is on.
func (c *Camera) running() (cameras Cameras, on bool) {
	c.Lock()
	defer c.Unlock()
	return c.cameras, c.stage == CameraOn
}

// Start switches a camera on, or over to the one with the given id, and has what it
// shows classified from then on.
func (c *Camera) Start(id string) {
	var cameras Cameras
	c.Update(func() {
		if c.cameras == nil || c.stage == CameraStarting {
			return
		}
		cameras = c.cameras
		c.halt()
		c.stage, c.problem = CameraStarting, nil
	})
	if cameras == nil {
		return
	}
	c.K.Live.Clear()
	c.K.Live.DropPicture()
	c.K.Capture.Release()
	c.K.Notices.Dismiss(NoticeCamera)
	go func() {
		device, err := cameras.Start(id)
		if err != nil {
			c.failed(err)
			return
		}
		devices, _ := cameras.Devices() // Without the list, this one still works.
		ctx, stop := context.WithCancel(context.Background())
		c.Update(func() {
			c.stage, c.device, c.devices, c.problem, c.stop = CameraOn, device, devices, nil, stop
		})
		c.K.Live.watch(ctx, cameras)
	}()
}

// Turn goes over to the camera that looks the other way.
func (c *Camera) Turn() {
	other := FacingPerson
	if c.State().Device.Facing == FacingPerson {
		other = FacingAway
	}
	c.Start(string(other))
}

// Stop switches the camera off.
func (c *Camera) Stop() {
	c.K.Capture.Release()
	var on Cameras
	c.Update(func() {
		if c.stage == CameraOn {
			c.halt()
			c.stage = CameraOff
			on = c.cameras
		}
	})
	if on != nil {
		on.Stop()
		c.K.Live.Clear()
	}
}

// Ended reports that the camera that was on has gone.
func (c *Camera) Ended() {
	c.Stop()
	c.failed(&Error{Code: CodeUnplugged, Message: "the camera was unplugged or taken away"})
}

// DevicesChanged reports that a camera was plugged in or out.
func (c *Camera) DevicesChanged() {
	cameras, _ := c.running()
	go func() {
		if devices, err := cameras.Devices(); err == nil {
			c.Update(func() { c.devices = devices })
		}
	}()
}

// forgetProblem says no more why the camera is off.
func (c *Camera) forgetProblem() { c.Update(func() { c.problem = nil }) }

func (c *Camera) failed(err error) {
	problem := c.K.cameraFailed(err)
	c.Update(func() { c.stage, c.problem = CameraOff, &problem })
}

// halt ends the watching. The lock is held.
func (c *Camera) halt() {
	if c.stop != nil {
		c.stop()
		c.stop = nil
	}
}
