package sound

import (
	"fmt"
	"math"
)

// Rate is the number of samples a second of the features: the differences between
// words, and between most sounds, lie below 8 kHz.
const Rate = 16000

// MaxSeconds is the length of the longest clip that is decoded. The features need
// one second of it; a minute leaves room to find it in.
const MaxSeconds = 60

// MinRate and MaxRate bound the samples a second of a clip.
const (
	MinRate = 1000
	MaxRate = 192000
)

// Clip is a recording of one channel.
type Clip struct {
	Rate    int       // samples a second
	Samples []float32 // full scale is −1 to 1
}

// Seconds is how long the clip lasts.
func (c *Clip) Seconds() float64 { return float64(len(c.Samples)) / float64(c.Rate) }

// FromSamples returns a clip of the samples of a microphone, sharing their memory.
//
// # Errors
//
// ErrCorrupt for rates outside MinRate…MaxRate, and for samples that are missing or
// not finite; ErrTooLong for more than MaxSeconds.
func FromSamples(samples []float32, rate int) (*Clip, error) {
	if err := checkRate(rate); err != nil {
		return nil, err
	}
	if len(samples) == 0 {
		return nil, fmt.Errorf("%w: it has no samples; record it again", ErrCorrupt)
	}
	if err := checkLength(len(samples), rate); err != nil {
		return nil, err
	}
	for i, v := range samples {
		if v-v != 0 { // NaN or infinite
			return nil, fmt.Errorf("%w: sample %d is not a number; record it again", ErrCorrupt, i)
		}
	}
	return &Clip{Rate: rate, Samples: samples}, nil
}

// cancelled is how much less power than its loudest channel the mean of channels has, at least,
// where they cancel each other: microphones and cables with one channel turned round do that.
const cancelled = 16

// mix writes the mean of channels to samples or, where they cancel each other, the loudest one.
// channel yields sample i of channel c.
func mix(samples []float32, channels int, channel func(i, c int) float64) {
	sums, squares := make([]float64, channels+1), make([]float64, channels+1) // of the mean, too
	for i := range samples {
		mean := 0.0
		for c := range channels {
			v := channel(i, c)
			sums[c] += v
			squares[c] += v * v
			mean += v / float64(channels)
		}
		sums[channels] += mean
		squares[channels] += mean * mean
		samples[i] = float32(mean)
	}
	// An offset is no power.
	power := func(c int) float64 { return squares[c] - sums[c]*sums[c]/float64(len(samples)) }
	loudest := 0
	for c := range channels {
		if power(c) > power(loudest) {
			loudest = c
		}
	}
	if power(channels)*cancelled < power(loudest) {
		for i := range samples {
			samples[i] = float32(channel(i, loudest))
		}
	}
}

// checkRate refuses rates that no recording has.
func checkRate(rate int) error {
	if rate < MinRate || rate > MaxRate {
		return fmt.Errorf("%w: it says %d samples a second; want %d to %d", ErrCorrupt, rate, MinRate, MaxRate)
	}
	return nil
}

// checkLength refuses clips of more than MaxSeconds.
func checkLength(samples, rate int) error {
	if samples > MaxSeconds*rate {
		return fmt.Errorf("%w: it lasts %s, the limit is %d s; cut out the part with the sound",
			ErrTooLong, duration(samples/rate), MaxSeconds)
	}
	return nil
}

// duration writes seconds as people say them.
func duration(seconds int) string {
	switch {
	case seconds < 120:
		return fmt.Sprintf("%d s", seconds)
	case seconds < 7200:
		return fmt.Sprintf("%d min", seconds/60)
	}
	return fmt.Sprintf("%.1f hours", float64(seconds)/3600)
}

// Level is the loudness of samples in decibels of full scale (dBFS): 20·log10 of
// their root mean square; −120 for silence or none.
func Level(samples []float32) float64 {
	const floor = -120
	var power float64
	for _, v := range samples {
		power += float64(v) * float64(v)
	}
	if len(samples) == 0 || power == 0 {
		return floor
	}
	return max(floor, 10*math.Log10(power/float64(len(samples))))
}
