package wasm

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
	"math"
	"slices"
	"testing"

	"github.com/deepemd/deepemd/core/hearing"
	"github.com/deepemd/deepemd/core/imaging"
	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/internal/resnettest"
)

// heard is a Hearing as wasm/engine has it, without its codes.
func heard() Hearing {
	var ear hearing.Ear
	return func(p Picture) (*imaging.Image, []float32, error) {
		h, err := ear.Samples(p.Samples, p.Rate)
		if p.Rate == 0 {
			h, err = ear.File(p.Data)
		}
		if err != nil {
			return nil, nil, fail(CodeBadSound, "%v", err)
		}
		return h.Picture, h.Second, nil
	}
}

// tone is half a second of a sine at 48 kHz.
func tone(hz float64) Picture {
	samples := make([]float32, 24000)
	for i := range samples {
		samples[i] = 0.5 * float32(math.Sin(2*math.Pi*hz*float64(i)/48000))
	}
	return Picture{Samples: samples, Rate: 48000}
}

func TestSounds(t *testing.T) {
	var file bytes.Buffer
	if err := resnettest.Weights([]int{8, 16, 16, 32}, 80, 1).Encode(&file, weights.F32); err != nil {
		t.Fatal(err)
	}
	e, err := Load(file.Bytes(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	e.Hear(heard())
	teach(t, e, "low", tone(300))
	teach(t, e, "high", tone(5000))
	for hz, want := range map[float64]string{320: "low", 4800: "high"} {
		if got := order(t, e, tone(hz)); got[0] != want {
			t.Errorf("%v Hz: %v, want %s first", hz, got, want)
		}
		if got := len(e.Second()); got != 16000 {
			t.Errorf("%d samples were heard, want a second at 16 kHz", got)
		}
	}
	// A spectrogram that was kept is taught again by its pixels.
	seen, err := e.AddExample("low", "one", tone(310))
	if err != nil {
		t.Fatal(err)
	}
	if e.Second() == nil {
		t.Error("nothing was heard of an example")
	}
	again, err := e.AddExample("low", "two", Picture{Data: slices.Clone(seen.Pix), Width: seen.Width, Height: seen.Height})
	if err != nil || !slices.Equal(again.Pix, seen.Pix) || e.Second() != nil {
		t.Errorf("%v: want the spectrogram taken as it is, and nothing heard", err)
	}
	// So is the picture of one in a file; other pictures are no sounds.
	for side, want := range map[int]bool{80: true, 64: false} {
		var file bytes.Buffer
		if err := png.Encode(&file, image.NewGray(image.Rect(0, 0, side, side))); err != nil {
			t.Fatal(err)
		}
		_, err := e.AddExample("low", fmt.Sprint("file", side), Picture{Data: file.Bytes()})
		if (err == nil) != want {
			t.Errorf("picture of %d pixels: %v, want it taken: %v", side, err, want)
		}
	}
	_, _, err = e.Classify(Picture{Samples: []float32{0}, Rate: 48000})
	wantCode(t, err, CodeBadSound)
}

func TestEnginesThatSeeRefuseSounds(t *testing.T) {
	e := newEngine(t, Options{})
	teach(t, e, "a", Picture{Data: make([]byte, 12), Width: 2, Height: 2})
	_, _, err := e.Classify(tone(300))
	wantCode(t, err, CodeBadSound)
}
