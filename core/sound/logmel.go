package sound

import (
	"math"

	"gonum.org/v1/gonum/dsp/fourier"

	"github.com/deepemd/deepemd/core/imaging"
)

// Parameters of the features, for one second at Rate.
const (
	Bands  = 80 // mel bands
	Frames = 80 // time steps of 12.5 ms

	hop       = Rate / Frames // 200 samples
	window    = 400           // 25 ms
	transform = 1024          // points of the Fourier transform
	lowest    = 60            // Hz, the lower edge of the lowest band
	highest   = 7600          // Hz, the upper edge of the highest band
	powerMin  = 1e-10         // floor of the logarithm
)

// Spectrogram is the log-mel spectrogram of one second: 10·log10 of the power in each band, in
// decibels.
type Spectrogram [Frames][Bands]float32

// Analyzer computes spectrograms. It holds tables and working memory, and is not safe for
// concurrent use.
type Analyzer struct {
	fft    *fourier.FFT
	hann   [window]float64
	bands  [Bands]band
	frame  [transform]float64
	bins   []complex128
	powers [transform/2 + 1]float64
}

// band is a triangular filter: weights of the bins starting at first.
type band struct {
	first   int
	weights []float64
}

// NewAnalyzer returns an Analyzer with its tables.
func NewAnalyzer() *Analyzer {
	a := &Analyzer{fft: fourier.NewFFT(transform), bins: make([]complex128, transform/2+1)}
	for i := range a.hann {
		a.hann[i] = 0.5 - 0.5*math.Cos(2*math.Pi*float64(i)/window)
	}
	a.bands = melBands()
	return a
}

// mel converts Hz to the scale of O'Shaughnessy, as in HTK; hertz is its inverse.
func mel(hz float64) float64    { return 2595 * math.Log10(1+hz/700) }
func hertz(mel float64) float64 { return 700 * (math.Pow(10, mel/2595) - 1) }

// melBands returns triangles of height 1, evenly spaced in mel. Each ends at the peaks of its
// neighbors.
func melBands() (bands [Bands]band) {
	var edges [Bands + 2]float64
	low, high := mel(lowest), mel(highest)
	for i := range edges {
		edges[i] = hertz(low + (high-low)*float64(i)/(Bands+1))
	}
	const spacing = float64(Rate) / transform
	for b := range bands {
		left, peak, right := edges[b], edges[b+1], edges[b+2]
		bands[b].first = int(math.Floor(left/spacing)) + 1
		for bin := bands[b].first; float64(bin)*spacing < right; bin++ {
			hz := float64(bin) * spacing
			bands[b].weights = append(bands[b].weights, min((hz-left)/(peak-left), (right-hz)/(right-peak)))
		}
	}
	return bands
}

// Analyze computes the spectrogram of one second, Rate samples. Frame t covers 25 ms around (t +
// ½)·12.5 ms, with silence beyond the ends, under a periodic Hann window and zero-padded to 1024
// points. The power |X|² of its Fourier transform is summed in 80 triangular bands from 60 to 7600
// Hz. It panics if second has another length.
func (a *Analyzer) Analyze(second []float32) *Spectrogram {
	if len(second) != Rate {
		panic("sound: a spectrogram needs one second of samples")
	}
	s := new(Spectrogram)
	for t := range s {
		begin := t*hop + hop/2 - window/2
		for i := range a.hann {
			a.frame[i] = 0
			if at := begin + i; at >= 0 && at < len(second) {
				a.frame[i] = a.hann[i] * float64(second[at])
			}
		}
		a.bins = a.fft.Coefficients(a.bins, a.frame[:])
		for i, x := range a.bins {
			a.powers[i] = real(x)*real(x) + imag(x)*imag(x)
		}
		for b, band := range &a.bands {
			var sum float64
			for i, w := range band.weights {
				sum += w * a.powers[band.first+i]
			}
			s[t][b] = float32(10 * math.Log10(max(sum, powerMin)))
		}
	}
	return s
}

// Range is the number of decibels between white and black in a picture.
const Range = 60

// Picture returns the spectrogram as a gray picture, Frames×Bands, with time to the right and high
// frequencies on top. The maximum is white, and levels Range decibels or more below it are black,
// so the overall loudness does not matter.
func (s *Spectrogram) Picture() *imaging.Image {
	loudest := float32(math.Inf(-1))
	for t := range s {
		for _, v := range s[t] {
			loudest = max(loudest, v)
		}
	}
	picture := &imaging.Image{Width: Frames, Height: Bands, Pix: make([]uint8, 3*Frames*Bands)}
	for t := range s {
		for b, v := range s[t] {
			gray := uint8(math.Round(255 * float64(max(0, 1+(v-loudest)/Range))))
			pixel := picture.Pix[3*((Bands-1-b)*Frames+t):][:3]
			pixel[0], pixel[1], pixel[2] = gray, gray, gray
		}
	}
	return picture
}
