package wasm

import "github.com/deepemd/deepemd/core/imaging"

// Sounds reach an engine that hears as pictures do. It is a program of its own, so that
// pages of pictures need not fetch what decodes recordings: see wasm/engine.

// Hearing makes a picture of a sound: of the recording in a file (MP3, WAV) when p.Rate is
// 0, else of samples. It returns the second that the picture is of, at 16 kHz, as well.
//
// Errors are *Error: "silent" where nothing is heard, "bad-sound" for what is no recording
// or a broken one.
type Hearing func(p Picture) (picture *imaging.Image, second []float32, err error)

// Hear lets the engine hear: files and samples are from then on taken for sounds, rows of
// pixels for spectrograms.
func (e *Engine) Hear(hearing Hearing) { e.hearing = hearing }

// Second returns the second of the sound that was read last, nil where that was no sound.
// It is valid until the next one is read.
func (e *Engine) Second() []float32 { return e.second }

// spectrogram returns the spectrogram that a file is a picture of, as the files of projects
// hold them; nil where it is none.
func (e *Engine) spectrogram(file []byte) *imaging.Image {
	img, err := imaging.Decode(file)
	if err != nil || img.Width != e.info.InputSize || img.Height != e.info.InputSize {
		return nil
	}
	return img
}

// perceive returns a picture's pixels; for a sound, those of its spectrogram.
func (e *Engine) perceive(p Picture) (*imaging.Image, error) {
	e.second = nil
	encoded := p.Width == 0 && p.Height == 0
	switch {
	case e.hearing != nil && encoded:
		img, second, err := e.hearing(p)
		if err != nil {
			if kept := e.spectrogram(p.Data); kept != nil {
				return kept, nil
			}
		}
		e.second = second
		return img, err
	case p.Rate != 0:
		return nil, fail(CodeBadSound, "this engine sees and does not hear: make one for sounds, DeepEMD.create({ sound: true })")
	}
	img, err := e.frame.read(p)
	if err != nil {
		return nil, fail(CodeBadImage, "%v", err)
	}
	return img, nil
}
