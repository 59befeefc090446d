package sound

import "math"

// Range is the number of decibels between white and black in the picture of a
// spectrogram.
const Range = 60

// Picture returns the spectrogram as the pixels of a grey picture, [Bands, Frames,
// 3], RGB: time to the right, high frequencies on top, the loudest place white, and
// black from Range decibels below it on. The overall loudness does not change it.
func (s *Spectrogram) Picture() []uint8 {
	loudest := float32(math.Inf(-1))
	for t := range s {
		for _, v := range s[t] {
			loudest = max(loudest, v)
		}
	}
	pix := make([]uint8, 3*Frames*Bands)
	for t := range s {
		for b, v := range s[t] {
			grey := uint8(math.Round(255 * float64(max(0, 1+(v-loudest)/Range))))
			pixel := pix[3*((Bands-1-b)*Frames+t):][:3]
			pixel[0], pixel[1], pixel[2] = grey, grey, grey
		}
	}
	return pix
}
