package learner

import (
	"runtime"
	"testing"
	"weak"

	"github.com/deepemd/deepemd/internal/require"
)

// TestLiveLoopMakesLittleGarbage bounds the allocations of a live answer, which a page computes
// thirty times per second.
func TestLiveLoopMakesLittleGarbage(t *testing.T) {
	opt := Options{Threads: 1, Lean: true}
	e := require.Value(OpenWith(smallWeights(t), opt))(t)
	for i, id := range []string{"a", "b", "c"} {
		require.NoError(t, e.AddClass(id, id))
		require.Value(e.AddExample(id, id, shade(i, 0)))(t)
	}
	frame := Picture{Width: 64, Height: 64, Data: make([]byte, 64*64*4)}
	for i := range frame.Data {
		frame.Data[i] = byte(i * i >> 3)
	}
	const (
		frames = 50
		// The answer contains the view (3072 bytes) and the embedding (512 bytes). Most other
		// allocations are closures passed to nn.Context.Split, some dozens of bytes each: three
		// per Winograd convolution, and one per most bfloat16 (AMX) convolutions. The runtime
		// adds a few.
		mostTimes, mostBytes = 90, 10_200
	)
	answer := func() {
		require.Value(e.Model().Classify(frame))(t)
	}
	for range 3 {
		answer()
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range frames {
		answer()
	}
	runtime.ReadMemStats(&after)
	times, bytes := (after.Mallocs-before.Mallocs)/frames, (after.TotalAlloc-before.TotalAlloc)/frames
	if times > mostTimes || bytes > mostBytes {
		t.Errorf("an answer allocates %d times, %d bytes: want at most %d and %d", times, bytes, mostTimes, mostBytes)
	}
	t.Logf("an answer allocates %d times, %d bytes", times, bytes)
}

// A kept answer holds its own data, and not the classifier of the model that gave it.
func TestAnswersKeepNoModel(t *testing.T) {
	l := newEngine(t, Options{})
	require.NoError(t, l.Add("red", red))
	a, model := require.Value(l.Model().Classify(red))(t), weak.Make(l.Model())
	require.NoError(t, l.Add("green", green))
	if runtime.GC(); model.Value() != nil {
		t.Error("an earlier model is in memory")
	}
	runtime.KeepAlive(a)
}
