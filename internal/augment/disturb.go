package augment

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/deepemd/deepemd/core/imaging"
)

// Disturbance spoils a picture in one of the ways in which webcams do. Its strength goes
// from 0, which changes nothing, to 1, with which a person still recognizes most things but
// would clean the lens. Lengths are shares of the picture's side, so that a strength means
// the same at every size.
type Disturbance struct {
	Name   string
	Effect string // in words
	apply  func(img *imaging.Image, strength float64, r *rand.Rand) *imaging.Image
}

// disturbances are all disturbances.
var disturbances = []Disturbance{
	{"motion-blur", "the camera or the thing moved", motionBlur},
	{"blur", "out of focus", blur},
	{"noise", "of the sensor", noise},
	{"white-balance", "a tint of warm or cold light", whiteBalance},
	{"low-light", "dark, and noisy for that", lowLight},
	{"jpeg", "much compressed", compress},
	{"low-resolution", "few pixels, scaled up", lowResolution},
	{"off-centre", "small and off the centre", offCentre},
}

// Disturbances returns all disturbances. It must not be modified.
func Disturbances() []Disturbance { return disturbances }

// DisturbanceNames lists the names of all disturbances.
func DisturbanceNames() []string {
	names := make([]string, len(disturbances))
	for i, k := range disturbances {
		names[i] = k.Name
	}
	return names
}

// ParseDisturbance returns the disturbance of a name, or an error that lists those there are.
func ParseDisturbance(name string) (Disturbance, error) {
	i := slices.IndexFunc(disturbances, func(k Disturbance) bool { return k.Name == name })
	if i < 0 {
		return Disturbance{}, fmt.Errorf("no disturbance %q: there are %s", name, strings.Join(DisturbanceNames(), ", "))
	}
	return disturbances[i], nil
}

// Apply returns a disturbed picture of the same size; the one given is not changed.
// It panics when the strength is not from 0 to 1.
func (k Disturbance) Apply(img *imaging.Image, strength float64, r *rand.Rand) *imaging.Image {
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
