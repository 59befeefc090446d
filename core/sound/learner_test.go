package sound_test

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/png"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/core/learner"
	"github.com/deepemd/deepemd/core/sound"
	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/internal/networktest"
	"github.com/deepemd/deepemd/internal/require"
)

// tone returns half a second of a sine at 48 kHz.
func tone(hz float64) learner.Picture {
	samples := make([]float32, 24000)
	for i := range samples {
		samples[i] = 0.5 * float32(math.Sin(2*math.Pi*hz*float64(i)/48000))
	}
	return learner.Picture{Samples: samples, Rate: 48000}
}

func TestSounds(t *testing.T) {
	var file bytes.Buffer
	require.NoError(t, networktest.ResNet12([]int{8, 16, 16, 32}, 80, 1).Encode(&file, weights.F32))
	opt := learner.Options{Kit: learner.CommonParts()}
	opt.Hearing = sound.ForLearner()
	e := require.Value(learner.OpenWith(file.Bytes(), opt))(t)
	teach(t, e, "low", tone(300))
	teach(t, e, "high", tone(5000))
	for hz, want := range map[float64]string{320: "low", 4800: "high"} {
		got := require.Value(e.Model().Classify(tone(hz)))(t)
		if got.Scores[0].ID != want || len(got.Second) != 16000 {
			t.Errorf("%v Hz: %+v and %d samples, want %s first and a second at 16 kHz", hz, got.Scores, len(got.Second), want)
		}
	}
	seen := require.Value(e.AddExample("low", "one", tone(310)))(t)
	if seen.Second == nil {
		t.Error("nothing was heard of an example")
	}
	again, err := e.AddExample("low", "two", learner.Picture{Data: slices.Clone(seen.View.Pix), Width: seen.View.Width, Height: seen.View.Height})
	if err != nil || !slices.Equal(again.View.Pix, seen.View.Pix) || again.Second != nil {
		t.Errorf("%v: want the spectrogram taken as it is, and nothing heard", err)
	}
	for side, want := range map[int]bool{80: true, 64: false} {
		var file bytes.Buffer
		require.NoError(t, png.Encode(&file, image.NewGray(image.Rect(0, 0, side, side))))
		_, err := e.AddExample("low", fmt.Sprint("file", side), learner.Picture{Data: file.Bytes()})
		if (err == nil) != want {
			t.Errorf("picture of %d pixels: %v, want it taken: %v", side, err, want)
		}
	}
	_, err = e.Model().Classify(learner.Picture{Data: []byte("a letter")})
	wantCode(t, err, learner.CodeBadSound)
	_, err = e.Model().Classify(learner.Picture{Samples: make([]float32, 24000), Rate: 48000})
	wantCode(t, err, learner.CodeSilent)
	_, err = e.Model().Classify(learner.Picture{Samples: tone(300).Samples})
	if wantCode(t, err, learner.CodeBadSound); !strings.Contains(err.Error(), "sample rate is 0") {
		t.Error(err)
	}
}

func teach(t *testing.T, l *learner.Learner, id string, sound learner.Picture) {
	t.Helper()
	require.NoError(t, l.AddClass(id, id))
	require.Value(l.AddExample(id, id, sound))(t)
}

func wantCode(t *testing.T, err error, code learner.Code) {
	t.Helper()
	var e *learner.Error
	if !errors.As(err, &e) || e.Code != code {
		t.Errorf("error %v, want one with code %q", err, code)
	}
}
