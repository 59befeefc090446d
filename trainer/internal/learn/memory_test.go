package learn

import (
	"strings"
	"testing"

	"github.com/deepemd/deepemd/trainer/internal/backbone"
)

func TestMemory(t *testing.T) {
	s := Settings{Stages: []Stage{{Epochs: 1, Size: 32, Batch: 64}, {Epochs: 1, Size: 84, Batch: 64}}, Precision: backbone.Float32}
	widths, batch := backbone.Plan{Widths: []int{64, 160, 320, 640}}, func(s Stage) int { return s.Batch }
	for have, want := range map[int64]string{
		0: "", 16 << 30: "",
		2 << 30:   "stage 2: widths [64 160 320 640] with 64 pictures of 84 pixels at once take at least 2.3 GB of memory, this machine has 2.1 GB: want narrower widths",
		100 << 20: "stage 1: ",
	} {
		err := s.fit(widths, batch, have)
		if (err == nil) != (want == "") || err != nil && !strings.HasPrefix(err.Error(), want) {
			t.Errorf("in %d MB: %v, want %q", have>>20, err, want)
		}
	}
	s.Precision = backbone.BFloat16
	if err := s.fit(widths, batch, 2<<30); err != nil {
		t.Errorf("in bfloat16, in 2 GB: %v", err)
	}
	if err := s.fit(backbone.Plan{Widths: []int{9e18, 9e18, 9e18, 9e18}}, func(Stage) int { return 9e18 }, 1<<62); err == nil || !strings.Contains(err.Error(), "more than 1000 TB") {
		t.Errorf("of 9e18 by 9e18: %v", err)
	}
}
