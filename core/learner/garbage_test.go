package learner

import (
	"runtime"
	"testing"

	"github.com/deepemd/deepemd/internal/require"
)

// TestLiveLoopMakesLittleGarbage: what a page does thirty times a second allocates
// little more than its answer, so that memory stays flat and there is little to collect.
func TestLiveLoopMakesLittleGarbage(t *testing.T) {
	opt := Options{Threads: 1, Lean: true} // strangers are told, too
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
		// The answer has the view, of 3072 bytes, and the embedding, of 512. The rest are
		// mostly the functions that layers hand to nn.Context.Split, some dozens of bytes
		// each, and what the runtime itself counts. By Winograd's way a convolution has
		// three of them; in bfloat16 (AMX) most have one.
		mostTimes, mostBytes = 90, 10_000
	)
	answer := func() {
		require.Value(e.Model().Classify(frame))(t)
	}
	for range 3 {
		answer() // working memory is made
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
