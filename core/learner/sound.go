package learner

import "github.com/deepemd/deepemd/core/imaging"

// Sounds reach a learner that hears as pictures do. What decodes recordings is handed to
// it, so that programs that only see need not link it: see package hearing.

// Hearing makes a learner one of sounds: files and samples are taken for sounds, rows of
// pixels for spectrograms. It makes a picture of a sound: of the recording in a file (MP3, WAV) when p.Rate is
// 0, else of samples. It returns the second that the picture is of, at 16 kHz, as well.
//
// Errors are *Error: "silent" where nothing is heard, "bad-sound" for what is no recording
// or a broken one.
type Hearing func(p Picture) (picture *imaging.Image, second []float32, err error)

// Hears reports whether this is a learner of sounds.
func (l *Learner) Hears() bool { return l.opt.Hearing != nil }

// Second returns the second of the sound that was read last, nil where that was no sound.
// It is valid until the next one is read.
func (l *Learner) Second() []float32 { return l.second }

// spectrogram returns the spectrogram that a file is a picture of, as the files of projects
// hold them; nil where it is none.
func (l *Learner) spectrogram(file []byte) *imaging.Image {
	img, err := imaging.Decode(file)
	if err != nil || img.Width != l.info.InputSize || img.Height != l.info.InputSize {
		return nil
	}
	return img
}

// perceive returns a picture's pixels; for a sound, those of its spectrogram.
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
