package augment

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/deepemd/deepemd/core/imaging"
)

// Disturbance is a defect of webcam images. Strength 0 changes nothing; with strength 1 most
// subjects are still recognizable. Lengths are shares of the image's side, so that strengths are
// comparable at all sizes.
type Disturbance struct {
	Name   string
	Effect string // in words
	apply  func(img *imaging.Image, strength float64, r *rand.Rand) *imaging.Image
}

var disturbances = []Disturbance{
	{"motion-blur", "the camera or the thing moved", motionBlur},
	{"blur", "out of focus", blur},
	{"noise", "of the sensor", noise},
	{"white-balance", "a tint of warm or cold light", whiteBalance},
	{"low-light", "dark, and noisy for that", lowLight},
	{"jpeg", "much compressed", compress},
	{"low-resolution", "few pixels, scaled up", lowResolution},
	{"off-center", "small and off the center", offCenter},
}

// Disturbances returns all disturbances. The result must not be modified.
func Disturbances() []Disturbance { return disturbances }

// DisturbanceNames returns the names of all disturbances.
func DisturbanceNames() []string {
	names := make([]string, len(disturbances))
	for i, k := range disturbances {
		names[i] = k.Name
	}
	return names
}

// ParseDisturbance returns the disturbance with a name, or an error that lists all names.
func ParseDisturbance(name string) (Disturbance, error) {
	i := slices.IndexFunc(disturbances, func(k Disturbance) bool { return k.Name == name })
	if i < 0 {
		return Disturbance{}, fmt.Errorf("unknown disturbance %q, want one of %s", name, strings.Join(DisturbanceNames(), ", "))
	}
	return disturbances[i], nil
}

// Apply returns a disturbed copy of the image. It panics unless the strength is from 0 to 1.
func (k Disturbance) Apply(img *imaging.Image, strength float64, r *rand.Rand) *imaging.Image {
	if !(strength >= 0 && strength <= 1) {
		panic(fmt.Sprintf("disturb: %s of strength %g", k.Name, strength))
	}
	if strength == 0 {
		return clone(img)
	}
	return k.apply(img, strength, r)
}

func clone(img *imaging.Image) *imaging.Image {
	return &imaging.Image{Width: img.Width, Height: img.Height, Pix: slices.Clone(img.Pix)}
}

// shorterSide returns the unit of all lengths.
func shorterSide(img *imaging.Image) float64 { return float64(min(img.Width, img.Height)) }

func sign(r *rand.Rand) float64 { return float64(2*r.IntN(2) - 1) }

// level rounds a value to eight bits.
func level(v float64) uint8 { return uint8(min(max(v+0.5, 0), 255)) }

// colors changes brightness, contrast and saturation by random factors in a random order, like
// torchvision's ColorJitter: it blends the image with black, with its mean gray, and with its own
// gray.
func (p Policy) colors(img *imaging.Image, r *rand.Rand) {
	if p.Brightness == 0 && p.Contrast == 0 && p.Saturation == 0 {
		return
	}
	for _, which := range r.Perm(3) {
		spread := [3]float64{p.Brightness, p.Contrast, p.Saturation}[which]
		factor := float32(1 + spread*(2*r.Float64()-1))
		if spread == 0 {
			continue
		}
		switch which {
		case 0:
			blendAll(img, factor, 0)
		case 1:
			blendAll(img, factor, meanGray(img))
		default:
			blendGray(img, factor)
		}
	}
}

// gray returns the luma of a pixel in the fixed-point arithmetic of Pillow's conversion from RGB to
// L.
func gray(pixel []uint8) uint8 {
	return uint8((int(pixel[0])*19595 + int(pixel[1])*38470 + int(pixel[2])*7471 + 1<<15) >> 16)
}

// meanGray returns the mean luma, rounded like Pillow's ImageEnhance.Contrast.
func meanGray(img *imaging.Image) float32 {
	sum := 0
	for i := 0; i < len(img.Pix); i += 3 {
		sum += int(gray(img.Pix[i:]))
	}
	return float32(int(float64(sum)/float64(len(img.Pix)/3) + 0.5))
}

// blend moves a value away from base, truncated to 8 bits like Pillow's Image.blend.
func blend(v uint8, factor, base float32) uint8 {
	return uint8(min(max(base+factor*(float32(v)-base), 0), 255))
}

func blendAll(img *imaging.Image, factor, base float32) {
	var table [256]uint8
	for v := range table {
		table[v] = blend(uint8(v), factor, base)
	}
	for i, v := range img.Pix {
		img.Pix[i] = table[v]
	}
}

func blendGray(img *imaging.Image, factor float32) {
	for i := 0; i+3 <= len(img.Pix); i += 3 {
		pixel := img.Pix[i : i+3 : i+3]
		base := float32(gray(pixel))
		pixel[0], pixel[1], pixel[2] = blend(pixel[0], factor, base), blend(pixel[1], factor, base), blend(pixel[2], factor, base)
	}
}

const (
	noiseDeviation = 0.16 // of a white pixel at full strength, as a share of full scale
	readNoise      = 0.25 // share that black pixels also have
	warmth         = 0.5  // logarithm of the gain of red, and negative of blue
	tint           = 0.15 // logarithm of the gain of green
	dimming        = 0.75 // share of light removed
	darkGamma      = 0.5  // increase of gamma
	darkNoise      = 0.04 // as a share of full scale
)

// noise returns sensor noise: photon noise, proportional to the square root of the signal, and read
// noise everywhere.
func noise(img *imaging.Image, strength float64, r *rand.Rand) *imaging.Image {
	out := clone(img)
	var deviation [256]float64
	for v := range deviation {
		deviation[v] = 255 * strength * noiseDeviation * math.Sqrt(readNoise*readNoise+(1-readNoise*readNoise)*float64(v)/255)
	}
	for i, v := range out.Pix {
		out.Pix[i] = level(float64(v) + deviation[v]*r.NormFloat64())
	}
	return out
}

// whiteBalance shifts the colors to warm or cold, and slightly to green or purple.
func whiteBalance(img *imaging.Image, strength float64, r *rand.Rand) *imaging.Image {
	warm := strength * warmth * sign(r)
	green := strength * tint * (2*r.Float64() - 1)
	var tables [3][256]uint8
	for c, gain := range [3]float64{math.Exp(warm), math.Exp(green), math.Exp(-warm)} {
		for v := range tables[c] {
			tables[c][v] = level(gain * float64(v))
		}
	}
	out := clone(img)
	for i := 0; i+3 <= len(out.Pix); i += 3 {
		p := out.Pix[i : i+3 : i+3]
		p[0], p[1], p[2] = tables[0][p[0]], tables[1][p[1]], tables[2][p[2]]
	}
	return out
}

// lowLight removes light, steepens the tone curve like cheap cameras, and adds amplifier noise.
func lowLight(img *imaging.Image, strength float64, r *rand.Rand) *imaging.Image {
	var table [256]float64
	for v := range table {
		table[v] = 255 * (1 - dimming*strength) * math.Pow(float64(v)/255, 1+darkGamma*strength)
	}
	out := clone(img)
	for i, v := range out.Pix {
		out.Pix[i] = level(table[v] + 255*darkNoise*strength*r.NormFloat64())
	}
	return out
}
