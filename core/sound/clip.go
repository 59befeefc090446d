package sound

import (
	"fmt"
	"math"
)

// Rate is the sample rate of the features in Hz. Words, and most sounds, differ below 8 kHz.
const Rate = 16000

// MaxSeconds is the maximum length of a clip. The features use its loudest second.
const MaxSeconds = 60

// MinRate and MaxRate bound the sample rate of a clip in Hz.
const (
	MinRate = 1000
	MaxRate = 192000
)

// Clip is a recording of one channel.
type Clip struct {
	Rate    int       // Hz
	Samples []float32 // full scale is −1 to 1
}

// FromSamples returns a clip of microphone samples, sharing their memory.
//
// # Errors
//
// ErrUnsupported for a rate above MaxRate; ErrCorrupt for one below MinRate, and for missing or
// non-finite samples; ErrTooLong for more than MaxSeconds.
func FromSamples(samples []float32, rate int) (*Clip, error) {
	if err := checkRate(int64(rate)); err != nil {
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

// canceled is the least ratio between the power of the loudest channel and of the mean of channels
// that cancel each other, as with a microphone or cable of reversed polarity.
const canceled = 16

// mix writes the mean of the channels to samples, or the loudest channel if they cancel each other.
// channel returns sample i of channel c.
func mix(samples []float32, channels int, channel func(i, c int) float64) {
	sums, squares := make([]float64, channels+1), make([]float64, channels+1) // per channel, then of the mean
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
	power := func(c int) float64 { return squares[c] - sums[c]*sums[c]/float64(len(samples)) }
	loudest := 0
	for c := range channels {
		if power(c) > power(loudest) {
			loudest = c
		}
	}
	if power(channels)*canceled < power(loudest) {
		for i := range samples {
			samples[i] = float32(channel(i, loudest))
		}
	}
}

// checkRate returns an error for a rate outside MinRate…MaxRate.
func checkRate(rate int64) error {
	switch {
	case rate < MinRate:
		return fmt.Errorf("%w: its sample rate is %d Hz; record it at %d to %d Hz", ErrCorrupt, rate, MinRate, MaxRate)
	case rate > MaxRate:
		return fmt.Errorf("%w: its sample rate is %d Hz; save it at %d to %d Hz, such as 48000", ErrUnsupported, rate, MinRate, MaxRate)
	}
	return nil
}

// checkLength returns an error for more than MaxSeconds.
func checkLength(samples, rate int) error {
	if samples > MaxSeconds*rate {
		return fmt.Errorf("%w: it lasts %s, the limit is %d s; cut out the part with the sound",
			ErrTooLong, duration((samples-1)/rate+1), MaxSeconds)
	}
	return nil
}

// duration formats seconds for people.
func duration(seconds int) string {
	switch {
	case seconds < 120:
		return fmt.Sprintf("%d s", seconds)
	case seconds < 7200:
		return fmt.Sprintf("%d min", seconds/60)
	}
	return fmt.Sprintf("%.1f hours", float64(seconds)/3600)
}

// Level returns the loudness of samples in decibels of full scale (dBFS), 20·log10 of their root
// mean square; −120 for silence or no samples.
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
