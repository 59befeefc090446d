package browser

import (
	"context"

	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"github.com/deepemd/deepemd/web/internal/kernel"
)

// microphone implements kernel.Cameras and kernel.Recorder with microphone.js of the package.
type microphone struct {
	kernel  *kernel.Kernel
	module  Value         // undefined until it was started first
	windows chan struct{} // has a token when there is new sound
}

// connectMicrophone connects the browser's microphones instead of cameras.
func connectMicrophone(s *kernel.Kernel) {
	s.Camera.Connect(&microphone{kernel: s, windows: make(chan struct{}, 1)})
	s.Live.Check = func(file kernel.File) error {
		engine, ok := s.Engine.Get().(*engine)
		if !ok {
			return nil
		}
		source, err := unpacked(file.Source)
		if err == nil {
			err = Wait(engine.deepemd.Call("embed", source)) // also before the first example
		}
		if kernel.Unusable(err) {
			return err
		}
		return nil
	}
}

// load fetches the module and connects it.
func (m *microphone) load() error {
	if m.module.Truthy() {
		return nil
	}
	module, err := Await(Studio.Call("microphone"))
	if err != nil {
		return err
	}
	module.Set("onwindow", Callback(func([]Value) {
		select {
		case m.windows <- struct{}{}:
		default:
		}
	}))
	module.Set("onended", Callback(func([]Value) { go m.kernel.Camera.Ended() }))
	module.Set("threshold", m.Threshold())
	m.module = module
	whenDevicesChange(m.kernel.Camera.DevicesChanged)
	return nil
}

// Start starts a microphone; see kernel.Camera.
func (m *microphone) Start(id string) (kernel.Device, error) {
	if err := insecure(); err != nil {
		return kernel.Device{}, err
	}
	if err := m.load(); err != nil {
		return kernel.Device{}, err
	}
	device, err := Await(m.module.Call("start", id))
	if err != nil {
		m.Stop()
		return kernel.Device{}, cameraError(err)
	}
	m.module.Call("show", Document.Call("getElementById", HeardID), Document.Call("getElementById", LevelID))
	return microphoneOf(device), nil
}

func microphoneOf(device Value) kernel.Device {
	return kernel.Device{ID: device.Get("id").String(), Name: device.Get("name").String()}
}

func (m *microphone) Stop() {
	if m.module.Truthy() {
		m.module.Call("stop")
	}
}

func (m *microphone) Devices() ([]kernel.Device, error) {
	list, err := Await(m.module.Call("devices"))
	if err != nil {
		return nil, cameraError(err)
	}
	return convert(list, microphoneOf), nil
}

// NextFrame blocks until there is new sound above the threshold.
func (m *microphone) NextFrame(ctx context.Context) error {
	select {
	case <-ctx.Done():
	case <-m.windows:
	}
	return ctx.Err()
}

// Source returns the latest sound.
func (m *microphone) Source() kernel.Source { return m.module.Call("window") }

// Record records takes; see kernel.Recorder.
func (m *microphone) Record(ctx context.Context, taken func(kernel.Source)) {
	takes := make(chan Value, 64)
	take := Callback(func(args []Value) {
		select {
		case takes <- args[0]:
		default: // drop sounds when a minute is waiting
		}
	})
	m.module.Set("ontake", take)
	m.module.Call("record")
	go func() {
		<-ctx.Done()
		m.module.Call("finish")
		m.module.Set("ontake", Null())
		take.Release()
		close(takes)
	}()
	for sound := range takes {
		taken(sound)
	}
}

// remembered is the threshold's key in localStorage.
const remembered = "deepemd-threshold"

func (m *microphone) Threshold() float64 {
	level := Window.Get("localStorage").Call("getItem", remembered)
	if n := Window.Get("parseFloat").Invoke(level); !n.IsNaN() {
		return n.Float()
	}
	return kernel.DefaultThreshold
}

func (m *microphone) SetThreshold(level float64) {
	if m.module.Truthy() {
		m.module.Set("threshold", level)
	}
	Remember(remembered, level)
}

// LoadFile loads a file into an audio or image element; see web/static/web/drawing.js.
func LoadFile(element app.Value, source any) {
	Studio.Call("loadFile", Of(element), source)
}
