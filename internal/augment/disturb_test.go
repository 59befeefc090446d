package augment

import (
	"bytes"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/core/imaging"
	"github.com/deepemd/deepemd/internal/require"
)

// scene returns an image with edges, a gradient and colors.
func scene(w, h int) *imaging.Image {
	img := &imaging.Image{Width: w, Height: h, Pix: make([]uint8, 3*w*h)}
	for i := range w * h {
		x, y := i%w, i/w
		p := img.Pix[3*i:]
		p[0], p[1], p[2] = uint8(40+x*150/w), uint8(60+y*120/h), 90
		if (x/7+y/5)%3 == 0 {
			p[0], p[2] = 200, uint8(30+x%11)
		}
	}
	return img
}

func seeded(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 1)) }

// distance returns the root mean square difference of two images.
func distance(a, b *imaging.Image) float64 {
	var sum float64
	for i, v := range a.Pix {
		d := float64(v) - float64(b.Pix[i])
		sum += d * d
	}
	return math.Sqrt(sum / float64(len(a.Pix)))
}

func TestDisturbances(t *testing.T) {
	for _, size := range [][2]int{{64, 64}, {84, 60}, {7, 5}, {1, 1}} {
		img := scene(size[0], size[1])
		held := bytes.Clone(img.Pix)
		for _, k := range Disturbances() {
			name := fmt.Sprintf("%s at %d×%d", k.Name, size[0], size[1])
			for _, strength := range []float64{0, 1e-9, 0.3, 1} {
				a, b := k.Apply(img, strength, seeded(5)), k.Apply(img, strength, seeded(5))
				if a.Width != size[0] || a.Height != size[1] || len(a.Pix) != len(img.Pix) {
					t.Fatalf("%s: %d×%d, %d bytes", name, a.Width, a.Height, len(a.Pix))
				}
				if !bytes.Equal(a.Pix, b.Pix) {
					t.Errorf("%s of %g: the seed does not decide the picture", name, strength)
				}
				if a == img || !bytes.Equal(img.Pix, held) {
					t.Fatalf("%s: the picture given was changed or returned", name)
				}
				if strength == 0 && !bytes.Equal(a.Pix, held) {
					t.Errorf("%s: strength 0 changes the picture", name)
				}
			}
			if size[0] < 60 {
				continue
			}
			// The stronger, the further from the image.
			last := 0.0
			for _, strength := range []float64{0.2, 0.5, 1} {
				var mean float64
				for seed := range uint64(20) {
					mean += distance(img, k.Apply(img, strength, seeded(seed))) / 20
				}
				if mean <= last || mean < 2 {
					t.Errorf("%s of %g changes pixels by %.1f, the one before by %.1f", name, strength, mean, last)
				}
				last = mean
			}
		}
	}
}

func TestNamed(t *testing.T) {
	for _, name := range DisturbanceNames() {
		if k, err := ParseDisturbance(name); err != nil || k.Name != name || k.Effect == "" {
			t.Errorf("%s: %+v, %v", name, k, err)
		}
	}
	if _, err := ParseDisturbance("earthquake"); err == nil || !strings.Contains(err.Error(), "motion-blur, blur") {
		t.Errorf("an unknown one: %v", err)
	}
}

// Blurs keep a gray image gray, to the bit, and the mean of any.
func TestBlursKeepTheMean(t *testing.T) {
	even := &imaging.Image{Width: 30, Height: 20, Pix: bytes.Repeat([]byte{117}, 1800)}
	for _, name := range []string{"blur", "motion-blur", "low-resolution", "off-center"} {
		k := require.Value(ParseDisturbance(name))(t)
		for seed := range uint64(30) {
			if out := k.Apply(even, r01(seed), seeded(seed)); !bytes.Equal(out.Pix, even.Pix) {
				t.Fatalf("%s: an even picture becomes uneven", name)
			}
		}
	}
	dot := &imaging.Image{Width: 41, Height: 41, Pix: make([]uint8, 3*41*41)}
	for c := range 3 {
		dot.Pix[3*(20*41+20)+c] = 255
	}
	// A line of length l has a variance of l²/12, its bilinear spreading adds a third at most. A Gaussian has a
	// variance of σ² in each direction.
	length, sigma := motionLength*41, blurSigma*41
	for name, variance := range map[string]float64{"motion-blur": length * length / 12, "blur": 2 * sigma * sigma} {
		out := require.Value(ParseDisturbance(name))(t).Apply(dot, 1, seeded(3))
		var sum, x, y, spread float64
		for i := range 41 * 41 {
			v := float64(out.Pix[3*i])
			sum, x, y = sum+v, x+v*float64(i%41-20), y+v*float64(i/41-20)
			spread += v * (math.Pow(float64(i%41-20), 2) + math.Pow(float64(i/41-20), 2))
		}
		if !(math.Abs(sum-255) <= 15) || !(math.Abs(x/sum) <= 0.1) || !(math.Abs(y/sum) <= 0.1) || spread/sum < variance-0.7 || spread/sum > variance+0.7 {
			t.Errorf("%s: a dot becomes one of %.0f at (%.2f, %.2f), of variance %.2f, want %.2f", name, sum, x/sum, y/sum, spread/sum, variance)
		}
	}
	// A line stays symmetric.
	line := &imaging.Image{Width: 41, Height: 41, Pix: make([]uint8, 3*41*41)}
	for y := range 41 {
		line.Pix[3*(41*y+20)] = 255
	}
	across := blur(line, 1, nil).Pix[:3*41]
	for x := range 20 {
		if across[3*x] != across[3*(40-x)] {
			t.Errorf("%d pixels beside a blurred line are %d and %d", 20-x, across[3*x], across[3*(40-x)])
		}
	}
	// Large images have filters of many taps, whose rounding adds up.
	weights := map[[2]int]float64{}
	for i := range 1000 {
		splat(weights, float64(i)*0.7, float64(i)*0.3)
	}
	sum := int32(0)
	for _, tap := range filter(weights) {
		sum += tap.weight
	}
	if sum != unit {
		t.Errorf("weights add up to %d, want %d", sum, unit)
	}
}

func TestLevel(t *testing.T) {
	for v, want := range map[float64]uint8{-3: 0, 0: 0, 0.4: 0, 0.6: 1, 99.6: 100, 254.6: 255, 300: 255} {
		if got := level(v); got != want {
			t.Errorf("%v is rounded to %d, want %d", v, got, want)
		}
	}
}

func TestSplat(t *testing.T) {
	weights := map[[2]int]float64{}
	splat(weights, -0.75, 2.5)
	if want := map[[2]int]float64{{-1, 2}: 0.375, {0, 2}: 0.125, {-1, 3}: 0.375, {0, 3}: 0.125}; !maps.Equal(weights, want) {
		t.Errorf("weights %v, want %v", weights, want)
	}
}

// r01 returns a strength from 0 to 1.
func r01(seed uint64) float64 { return seeded(seed + 100).Float64() }

// The small image is anywhere; around it is its mirror image or its mean color.
func TestOffCenter(t *testing.T) {
	img := scene(40, 20)
	const w, h = 18, 9 // 0.45 of the sides
	small := imaging.Resize(img, w, h)
	pixel := func(m *imaging.Image, x, y int) [3]uint8 { return [3]uint8(m.Pix[3*(y*m.Width+x):]) }
	mean := meanColor(small)
	places, kinds := map[[2]int]bool{}, map[bool]int{}
	for seed := range uint64(100) {
		out := offCenter(img, 1, seeded(seed))
		around := func(left, top int, flat bool) bool {
			for y := range img.Height {
				for x := range img.Width {
					sx, sy := x-left, y-top
					inside := sx >= 0 && sx < w && sy >= 0 && sy < h
					want := mean
					if inside || !flat {
						want = pixel(small, mirrored(sx, w), mirrored(sy, h))
					}
					if pixel(out, x, y) != want {
						return false
					}
				}
			}
			return true
		}
		found := false
		for top := range img.Height - h + 1 {
			for left := range img.Width - w + 1 {
				for _, flat := range []bool{false, true} {
					if !found && around(left, top, flat) {
						found, places[[2]int{left, top}] = true, true
						kinds[flat]++
					}
				}
			}
		}
		if !found {
			t.Fatalf("seed %d: the small image is nowhere", seed)
		}
	}
	if len(places) < 50 || kinds[true] < 30 || kinds[false] < 30 {
		t.Errorf("100 images: %d places, %d with the mean color around", len(places), kinds[true])
	}
	for i, want := range map[int]int{-4: 3, -1: 0, 0: 0, 4: 4, 5: 4, 7: 2} {
		if got := mirrored(i, 5); got != want {
			t.Errorf("mirrored(%d, 5) = %d, want %d", i, got, want)
		}
	}
}

func TestNoiseDeviation(t *testing.T) {
	for _, test := range []struct {
		gray uint8
		want float64
	}{{128, 255 * 0.5 * noiseDeviation * math.Sqrt(0.0625+0.9375*128/255)}, {64, 255 * 0.5 * noiseDeviation * math.Sqrt(0.0625+0.9375*64/255)}} {
		img := &imaging.Image{Width: 100, Height: 100, Pix: bytes.Repeat([]byte{test.gray}, 30000)}
		if got := distance(img, noise(img, 0.5, seeded(2))); !(math.Abs(got-test.want) <= 0.05*test.want) {
			t.Errorf("noise on gray %d deviates by %.2f, want %.2f", test.gray, got, test.want)
		}
	}
}

// TestWhiteBalance: red and blue change by opposite factors, to warm or cold; green changes less, in both directions.
func TestWhiteBalance(t *testing.T) {
	img := &imaging.Image{Width: 1, Height: 2, Pix: bytes.Repeat([]byte{100}, 6)}
	high, low := level(100*math.Exp(warmth)), level(100*math.Exp(-warmth))
	var warm int
	var greens []uint8
	for seed := range uint64(100) {
		p := whiteBalance(img, 1, seeded(seed)).Pix
		if !bytes.Equal(p[:3], p[3:]) || !(p[0] == high && p[2] == low || p[0] == low && p[2] == high) {
			t.Fatalf("gray becomes %v, want %d and %d in red and blue", p, high, low)
		}
		if p[0] == high {
			warm++
		}
		greens = append(greens, p[1])
	}
	least, most := level(100*math.Exp(-tint)), level(100*math.Exp(tint))
	if l, m := slices.Min(greens), slices.Max(greens); l < least || m > most || l > least+2 || m < most-2 {
		t.Errorf("green from %d to %d, want %d to %d", l, m, least, most)
	}
	if warm < 30 || warm > 70 {
		t.Errorf("%d of 100 images are warm", warm)
	}
}

func TestLowLightIsDark(t *testing.T) {
	img := scene(64, 64)
	mean := func(m *imaging.Image) (sum float64) {
		for _, v := range m.Pix {
			sum += float64(v) / float64(len(m.Pix))
		}
		return sum
	}
	if got, was := mean(lowLight(img, 1, seeded(1))), mean(img); got > 0.25*was {
		t.Errorf("at full strength the mean goes from %.0f to %.0f", was, got)
	}
}

func TestStrengthIsChecked(t *testing.T) {
	for _, strength := range []float64{-0.1, 1.1, math.NaN()} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("strength %g was accepted", strength)
				}
			}()
			Disturbances()[0].Apply(scene(8, 8), strength, seeded(1))
		}()
	}
}

func BenchmarkDisturbances(b *testing.B) {
	img := scene(64, 64)
	for _, k := range Disturbances() {
		b.Run(k.Name, func(b *testing.B) {
			r := seeded(1)
			for b.Loop() {
				k.Apply(img, 1-r.Float64(), r)
			}
		})
	}
}
