package training

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/weights"
	core "github.com/deepemd/deepemd/internal/backbone"
	"github.com/deepemd/deepemd/internal/cluster"
	"github.com/deepemd/deepemd/trainer/internal/backbone"
	"github.com/deepemd/deepemd/trainer/internal/cuda"
	"github.com/deepemd/deepemd/trainer/internal/device"
	"github.com/deepemd/deepemd/trainer/internal/learn"
)

// CPU is the setting for the processor.
const CPU = "cpu"

// DeviceHelp lists the values of a device's setting.
const DeviceHelp = "cpu, an NVIDIA card (cuda:0), or auto, a card if there is one (default: auto)"

// openCard opens the card that the settings select, or returns nil for the processor. With auto, a
// card must have the memory that fits checks. It reports the device, and why auto takes no card.
func openCard(s *learn.Settings, g cluster.Group, w Reporter, fits func() error) (device.Device, error) {
	absent := func(err error) {
		if errors.Is(err, cuda.ErrNone) {
			err = fmt.Errorf("%w (--device cuda:0 says more)", cuda.ErrNone)
		}
		w.tell("training on the processor: %v", err)
	}
	half := s.Precision != device.Float32 && s.Precision != "" // as Check resolves it
	card, err := selectCard(s.Device, half, g, absent)
	if card == nil {
		return nil, err
	}
	s.CardMemory = card.Resident().Memory()
	if err := fits(); err != nil && s.Device == device.Auto {
		absent(err)
		s.CardMemory = 0
		return nil, card.Close()
	}
	w.tell("training on %s", card.Name())
	return card, nil
}

// selectCard opens the card that a setting selects, or returns nil for the processor. absent
// receives the reason if auto finds no card. With auto, several ranks use the processor.
func selectCard(setting string, half bool, g cluster.Group, absent func(error)) (device.Device, error) {
	number, auto := 0, setting == device.Auto
	if setting == "" || setting == CPU || auto && g.Size() > 1 {
		return nil, nil
	}
	if !auto {
		text, named := strings.CutPrefix(setting, "cuda:")
		n, err := strconv.Atoi(text)
		if !named || err != nil || n < 0 {
			return nil, fmt.Errorf("device %q: use %s, %s, or %s for an NVIDIA card", setting, device.Auto, CPU, "cuda:0")
		}
		number = n
	}
	card, err := cuda.Open(number, half)
	switch {
	case err == nil:
		return card, nil
	case auto:
		absent(err)
		return nil, nil
	}
	return nil, fmt.Errorf("%s: %w; --device %s uses the processor", setting, err, CPU)
}

// OnCard returns the network in a file for inference on the card that a setting selects (see
// DeviceHelp), with the card's name. It returns nil for the processor, which computes all networks
// but a ResNet-12.
//
// # Errors
//
// An unknown setting, a card that cannot be used, a file without the network's tensors.
func OnCard(ctx context.Context, setting string, f *weights.File) (net embed.Encoder, name string, err error) {
	e, err := cardEncoder(ctx, cmp.Or(setting, device.Auto), f)
	if e == nil || err != nil {
		return nil, "", err
	}
	return e, e.Device().Name(), nil
}

// cardEncoder implements OnCard. It computes in float32, for the scores of the processor: features
// differ by 0.05% (TF32), in bfloat16 by 0.5%.
func cardEncoder(ctx context.Context, setting string, f *weights.File) (*backbone.Encoder, error) {
	if f.Meta.Arch != core.ArchResNet12 {
		return nil, nil
	}
	card, err := selectCard(setting, false, cluster.Of(ctx), func(error) {})
	if card == nil || err != nil {
		return nil, err
	}
	e, err := backbone.NewEncoder(f, card)
	if err != nil {
		return nil, errors.Join(err, card.Close())
	}
	return e, nil
}

// encoder returns the network in a file for inference: on the card of a run with one rank, or on the
// processor. done frees the card's memory.
func encoder(ctx context.Context, s *learn.Settings, f *weights.File) (net embed.Encoder, done func(), err error) {
	if s.CardMemory > 0 && cluster.Of(ctx).Size() == 1 {
		e, err := cardEncoder(ctx, s.Device, f)
		if e != nil || err != nil {
			return e, func() { _ = e.Device().Close() }, err // its results are complete
		}
	}
	net, err = core.New(f, core.Options{Threads: s.Threads})
	return net, func() {}, err
}
