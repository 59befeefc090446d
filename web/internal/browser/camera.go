package browser

import (
	"cmp"
	"context"
	"strings"
	"sync"

	"github.com/deepemd/deepemd/web/internal/kernel"
)

// The requested size of a camera's image: more pixels than the model sees, but few enough to be
// fast.
const (
	wantWidth  = 640
	wantHeight = 480
)

// sparedRate is the requested frame rate on slow devices: more than they can answer. Each frame costs
// time.
const sparedRate = 15

// lull is the time in milliseconds without a frame after which the page checks the camera.
const lull = 1000

// camera implements kernel.Cameras with the browser's cameras.
type camera struct {
	kernel  *kernel.Kernel
	video   Value
	stream  Value
	device  kernel.Device // of the stream
	spared  bool          // with a lower frame rate
	ended   Func          // of the track
	resized Func          // of the video, whose size has changed
	framing Value         // framing.js of the package, after the first start
	frame   Value         // for framing.js
	frames  Value         // video-frames.js of the package
	sleep   Value         // lets the screen turn off; null without a camera
	changes func()        // starts to watch for devices
}

func connectCamera(s *kernel.Kernel) {
	c := &camera{kernel: s, stream: Null(), sleep: Null()}
	c.ended = Callback(func([]Value) { go s.Camera.Ended() })
	s.Camera.Connect(c)
	s.Framing.Watch(c.reframe)
	s.Setup.Watch(c.respare)
	c.resized = Callback(func([]Value) { c.reframe() })
	s.Live.Check, s.Frames = readable, picturesOf
	c.changes = sync.OnceFunc(func() { whenDevicesChange(s.Camera.DevicesChanged) })
}

func mediaDevices() Value { return Navigator.Get("mediaDevices") }

// whenDevicesChange calls changed when a camera or a microphone is plugged in or out. Some browsers
// watch for devices only after this call.
func whenDevicesChange(changed func()) {
	mediaDevices().Call("addEventListener", "devicechange", Callback(func([]Value) { changed() }))
}

// Start starts a camera; see kernel.Camera.
func (c *camera) Start(id string) (device kernel.Device, err error) {
	if err := insecure(); err != nil {
		return device, err
	}
	c.changes()
	c.Stop()
	c.spared = c.spares()
	wanted := c.picture()
	if mode, facing := strings.CutPrefix(id, "facing:"); facing {
		wanted["facingMode"] = map[string]any{"ideal": mode}
	} else if id != "" {
		wanted["deviceId"] = map[string]any{"exact": id}
	} else {
		wanted["facingMode"] = map[string]any{"ideal": "environment"}
	}
	stream, err := Await(mediaDevices().Call("getUserMedia", ValueOf(map[string]any{"video": wanted, "audio": false})))
	if err != nil {
		return device, cameraError(err)
	}
	c.stream = stream
	defer func() {
		if err != nil && c.stream.Equal(stream) { // otherwise another start has stopped this one
			c.Stop()
		}
	}()
	track := stream.Call("getVideoTracks").Index(0)
	track.Call("addEventListener", "ended", c.ended)
	if c.framing, err = Await(Studio.Call("framing")); err != nil {
		return device, err
	}
	// Load everything before the first frame, which may be captured at once.
	c.video = Document.Call("getElementById", VideoID)
	if c.frames, err = Await(Studio.Call("frames", c.video)); err != nil {
		return device, err
	}
	sleep, err := Await(Studio.Call("awake"))
	if err != nil {
		return device, err
	}
	if !c.stream.Equal(stream) { // stopped in the meantime
		sleep.Invoke()
		return device, nil
	}
	c.sleep = sleep
	c.video.Call("addEventListener", "resize", c.resized)
	c.video.Set("srcObject", stream)
	if err := Wait(c.video.Call("play")); err != nil {
		return device, cameraError(err)
	}

	settings := track.Call("getSettings")
	device.Name = track.Get("label").String()
	if v := settings.Get("deviceId"); v.Type() == TypeString {
		device.ID = v.String()
	}
	if v := settings.Get("facingMode"); v.Type() == TypeString {
		device.Facing = kernel.Facing("facing:" + v.String())
		if device.Facing != kernel.FacingPerson && device.Facing != kernel.FacingAway { // left, right
			device.Facing = kernel.FacingUnknown
		}
	}
	c.device = device
	c.reframe()
	return device, nil
}

// spares reports whether the device is slow.
func (c *camera) spares() bool { return c.kernel.Setup.Weights().Small() }

// insecure returns an error if the page's address is not secure: browsers then hide the devices.
func insecure() error {
	if mediaDevices().Truthy() {
		return nil
	}
	return &kernel.Error{Code: kernel.CodeInsecure, Message: "navigator.mediaDevices is missing"}
}

// picture returns the constraints for any camera.
func (c *camera) picture() map[string]any {
	wanted := map[string]any{
		"width":  map[string]any{"ideal": wantWidth},
		"height": map[string]any{"ideal": wantHeight},
	}
	if c.spared {
		wanted["frameRate"] = map[string]any{"ideal": sparedRate}
	}
	return wanted
}

// respare lowers or raises the frame rate when the device turns out to be slow or fast. A failure
// leaves the rate unchanged.
func (c *camera) respare() {
	if c.stream.IsNull() || c.spared == c.spares() {
		return
	}
	c.spared = !c.spared
	track := c.stream.Call("getVideoTracks").Index(0)
	go func() { _, _ = Await(track.Call("applyConstraints", ValueOf(c.picture()))) }()
}

func (c *camera) Stop() {
	if c.stream.IsNull() {
		return
	}
	// WebKitGTK may hang if a track ends while a video shows it.
	if c.video.Truthy() {
		c.video.Call("removeEventListener", "resize", c.resized)
		c.video.Set("srcObject", Null())
	}
	tracks := c.stream.Call("getTracks")
	for i := range tracks.Length() {
		tracks.Index(i).Call("removeEventListener", "ended", c.ended)
		tracks.Index(i).Call("stop")
	}
	if c.sleep.Truthy() {
		c.sleep.Invoke()
	}
	c.stream, c.sleep = Null(), Null()
}

func (c *camera) Devices() ([]kernel.Device, error) {
	list, err := Await(mediaDevices().Call("enumerateDevices"))
	if err != nil {
		return nil, cameraError(err)
	}
	var devices []kernel.Device
	for i := range list.Length() {
		if d := list.Index(i); d.Get("kind").String() == "videoinput" {
			devices = append(devices, kernel.Device{ID: d.Get("deviceId").String(), Name: d.Get("label").String()})
		}
	}
	return devices, nil
}

// NextFrame blocks until there is a new frame.
func (c *camera) NextFrame(ctx context.Context) error {
	for frames := c.frames; ctx.Err() == nil; {
		another, err := Await(frames.Call("next", lull))
		if err != nil {
			return err
		}
		if another.Bool() {
			break
		}
	}
	return ctx.Err()
}

// Source returns the video, or its frame.
func (c *camera) Source() kernel.Source { return c.framing.Call("cut", c.video, c.frame) }

// reframe shows the frame of the video after a change of either.
func (c *camera) reframe() {
	f := c.kernel.Framing.State()
	c.frame = ValueOf(map[string]any{"zoom": f.Zoom, "x": f.X, "y": f.Y})
	if c.stream.IsNull() || !c.video.Truthy() {
		return
	}
	c.kernel.Framing.SetShape(kernel.Shape{Width: c.video.Get("videoWidth").Float(), Height: c.video.Get("videoHeight").Float()})
	c.framing.Call("show", c.video, c.frame, c.kernel.Framing.Mirrored(c.device))
}

// cameraError converts a DOMException to an error with the kernel's code.
func cameraError(err error) error {
	codes := map[string]string{
		"NotAllowedError": kernel.CodeDenied, "SecurityError": kernel.CodeDenied,
		"NotFoundError": kernel.CodeMissing, "OverconstrainedError": kernel.CodeMissing,
		"NotReadableError": kernel.CodeTaken, "TrackStartError": kernel.CodeTaken,
		"TimeoutError": kernel.CodeLate, // of microphone.js
		"AbortError":   kernel.CodeAborted,
	}
	if e, ok := err.(*kernel.Error); ok {
		e.Code = cmp.Or(codes[e.Code], e.Code)
	}
	return err
}
