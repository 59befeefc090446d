package training

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/deepemd/deepemd/internal/cluster"
	"github.com/deepemd/deepemd/trainer/internal/cuda"
	"github.com/deepemd/deepemd/trainer/internal/device"
	"github.com/deepemd/deepemd/trainer/internal/learn"
)

// CPU is the setting for the processor.
const CPU = "cpu"

// openCard opens the card that the settings select, or returns nil for the processor. It tells
// which one computes, and why.
func openCard(s *learn.Settings, g cluster.Group, w Reporter) (device.Device, error) {
	number, found := 0, s.Device == device.Auto
	if s.Device == "" || s.Device == CPU || found && g.Size() > 1 {
		return nil, nil
	}
	if text, ok := strings.CutPrefix(s.Device, "cuda:"); ok {
		n, err := strconv.Atoi(text)
		number, found = n, err == nil && n >= 0
	}
	if !found {
		return nil, fmt.Errorf("device %q: use %s, %s, or %s for an NVIDIA card", s.Device, device.Auto, CPU, "cuda:0")
	}
	card, err := cuda.Open(number, s.Precision != device.Float32)
	if err != nil && s.Device == device.Auto {
		w.tell("training on the processor; no NVIDIA card: %v", err)
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w; --device %s trains on the processor", s.Device, err, CPU)
	}
	s.OnCard = true
	w.tell("training on %s", card.Name())
	return card, nil
}
