package training

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/internal/cluster"
	"github.com/deepemd/deepemd/internal/networktest"
	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/trainer/internal/cuda"
	"github.com/deepemd/deepemd/trainer/internal/device"
	"github.com/deepemd/deepemd/trainer/internal/learn"
)

// A card that is named must exist; auto does without. The processor computes other networks.
func TestOnCard(t *testing.T) {
	f := networktest.ResNet12([]int{4, 4, 4, 4}, 32, 1)
	for _, setting := range []string{"cuda:99", "cuda:-1", "gpu"} {
		if _, _, err := OnCard(t.Context(), setting, f); err == nil || !strings.Contains(err.Error(), setting) {
			t.Errorf("%s: %v", setting, err)
		}
	}
	if net, _, err := OnCard(t.Context(), CPU, f); net != nil || err != nil {
		t.Errorf("cpu: %v, %v", net, err)
	}
	net, name, err := OnCard(t.Context(), "", f)
	require.NoError(t, err)
	if (net != nil) != strings.HasPrefix(name, "cuda:0") {
		t.Errorf("auto: %v on %q", net, name)
	}
	if net, _, err := OnCard(t.Context(), "cuda:0", networktest.MobileNet()); net != nil || err != nil {
		t.Errorf("a MobileNet: %v, %v", net, err)
	}
}

// Without a card, auto says so in a few words; a named card's error has the details.
func TestToldOfNoCard(t *testing.T) {
	_, missing := cuda.Open(0, false)
	if !errors.Is(missing, cuda.ErrNone) {
		t.Skip("this machine has a card's driver:", missing)
	}
	var told []string
	s := &learn.Settings{Device: device.Auto}
	_, err := openCard(s, cluster.Single{}, Reporter{Tell: func(line string) { told = append(told, line) }}, func() error { return nil })
	if want := []string{"training on the processor: no NVIDIA card or driver found (--device cuda:0 says more)"}; err != nil || !slices.Equal(told, want) {
		t.Errorf("error %v, told %q, want %q", err, told, want)
	}
	s.Device = "cuda:0"
	if _, err := openCard(s, cluster.Single{}, Reporter{}, nil); err == nil || !strings.Contains(err.Error(), missing.Error()) {
		t.Errorf("error %v, want %v", err, missing)
	}
}
