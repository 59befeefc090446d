// Package disturb spoils pictures in the ways in which webcams do: blur, noise, bad
// light, compression, few pixels, things that are small and off the centre. A network
// is trained with it to bear that, and measured with it for how far it does.
//
// Every disturbance has a strength from 0, which changes nothing, to 1, with which a
// person still recognises most things but would clean the lens. Lengths are shares
// of the picture's side, so that a strength means the same at every size. What is
// random comes from a generator that the caller seeds.
package disturb

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/deepemd/deepemd/core/imaging"
)

// Kind is one disturbance.
type Kind struct {
	Name   string
	Effect string // in words
	apply  func(img *imaging.Image, strength float64, r *rand.Rand) *imaging.Image
}

// kinds are all disturbances.
var kinds = []Kind{
	{"motion-blur", "the camera or the thing moved", motionBlur},
	{"blur", "out of focus", blur},
	{"noise", "of the sensor", noise},
	{"white-balance", "a tint of warm or cold light", whiteBalance},
	{"low-light", "dark, and noisy for that", lowLight},
	{"jpeg", "much compressed", compress},
	{"low-resolution", "few pixels, scaled up", lowResolution},
	{"off-centre", "small and off the centre", offCentre},
}

// Kinds returns all disturbances. It must not be modified.
func Kinds() []Kind { return kinds }

// Names lists the names of all disturbances.
func Names() []string {
	names := make([]string, len(kinds))
	for i, k := range kinds {
		names[i] = k.Name
	}
	return names
}

// ParseKind returns the disturbance of a name, or an error that lists those there are.
func ParseKind(name string) (Kind, error) {
	i := slices.IndexFunc(kinds, func(k Kind) bool { return k.Name == name })
	if i < 0 {
		return Kind{}, fmt.Errorf("no disturbance %q: there are %s", name, strings.Join(Names(), ", "))
	}
	return kinds[i], nil
}

// Apply returns a disturbed picture of the same size; the one given is not changed.
// It panics when the strength is not from 0 to 1.
func (k Kind) Apply(img *imaging.Image, strength float64, r *rand.Rand) *imaging.Image {
	if !(strength >= 0 && strength <= 1) {
		panic(fmt.Sprintf("disturb: %s of strength %g", k.Name, strength))
	}
	if strength == 0 {
		return clone(img)
	}
	return k.apply(img, strength, r)
}

// clone copies a picture.
func clone(img *imaging.Image) *imaging.Image {
	return &imaging.Image{Width: img.Width, Height: img.Height, Pix: slices.Clone(img.Pix)}
}

// side is the length whose shares all lengths are.
func side(img *imaging.Image) float64 { return float64(min(img.Width, img.Height)) }

// sign is −1 or 1.
func sign(r *rand.Rand) float64 { return float64(2*r.IntN(2) - 1) }

// level limits a value to eight bits, rounded.
func level(v float64) uint8 { return uint8(min(max(v+0.5, 0), 255)) }
