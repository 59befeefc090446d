package learner

import "github.com/deepemd/deepemd/core/imaging"

// A learner of sounds is handed the code that decodes recordings, so that other
// programs need not link it: see sound.ForLearner.

// Hearing turns a learner into one of sounds. It takes the recording in a file
// (MP3, WAV) when p.Rate is 0, else samples, and returns the picture of the
// spectrogram and the second behind it, at 16 kHz. Rows of pixels are spectrograms
// and do not pass it.
//
// Errors are *Error: "silent" for a silent recording, "bad-sound" for a broken one
// or another file.
type Hearing func(p Picture) (picture *imaging.Image, second []float32, err error)

// Hears reports whether the learner takes sounds.
func (l *Learner) Hears() bool { return l.opt.Hearing != nil }

// Second returns the second of the sound that was read last, nil if that was a
// picture. It is valid until the next one is read.
func (l *Learner) Second() []float32 { return l.second }

// spectrogram returns the spectrogram that a file is a picture of, as project files
// hold them; nil for other files.
func (l *Learner) spectrogram(file []byte) *imaging.Image {
	img, err := imaging.Decode(file)
	if err != nil || img.Width != l.info.InputSize || img.Height != l.info.InputSize {
		return nil
	}
	return img
}

// perceive returns the pixels of a picture, or of the spectrogram of a sound.
func (l *Learner) perceive(p Picture) (*imaging.Image, error) {
	l.second = nil
	encoded := p.Width == 0 && p.Height == 0
	switch {
	case l.opt.Hearing != nil && encoded:
		img, second, err := l.opt.Hearing(p)
		if err != nil {
			if kept := l.spectrogram(p.Data); kept != nil {
				return kept, nil
			}
		}
		l.second = second
		return img, err
	case p.Rate != 0:
		return nil, fail(CodeBadSound, "this learner sees and does not hear: make one for sounds")
	}
	img, err := l.frame.read(p)
	if err != nil {
		return nil, fail(CodeBadImage, "%v", err)
	}
	return img, nil
}
