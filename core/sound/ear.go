package sound

import (
	"errors"

	"github.com/deepemd/deepemd/core/imaging"
	"github.com/deepemd/deepemd/core/learner"
)

// Heard is the loudest second of a recording, and its spectrogram.
type Heard struct {
	Second  []float32      // its loudest second, at Rate
	Picture *imaging.Image // the spectrogram of that second, Frames×Bands
}

// Ear turns recordings into pictures. Its zero value is ready; the first recording
// makes its tables. It is not safe for concurrent use.
type Ear struct{ analyser *Analyser }

// File takes the recording in a file, MP3 or WAV.
//
// # Errors
//
// The same as Decode and Clip.Second.
func (e *Ear) File(data []byte) (*Heard, error) {
	clip, err := Decode(data)
	if err != nil {
		return nil, err
	}
	return e.clip(clip)
}

// Samples takes samples of a microphone at a rate in Hz.
//
// # Errors
//
// The same as Decode and Clip.Second.
func (e *Ear) Samples(samples []float32, rate int) (*Heard, error) {
	clip, err := FromSamples(samples, rate)
	if err != nil {
		return nil, err
	}
	return e.clip(clip)
}

func (e *Ear) clip(clip *Clip) (*Heard, error) {
	second, err := clip.Second()
	if err != nil {
		return nil, err
	}
	if e.analyser == nil {
		e.analyser = NewAnalyser()
	}
	pix := e.analyser.Analyse(second).Picture()
	return &Heard{second, &imaging.Image{Width: Frames, Height: Bands, Pix: pix}}, nil
}

// Picture returns the spectrogram of the recording in a file, MP3 or WAV. It is
// safe for concurrent use.
//
// # Errors
//
// The same as Decode and Clip.Second.
func Picture(file []byte) (*imaging.Image, error) {
	var e Ear
	heard, err := e.File(file)
	if err != nil {
		return nil, err
	}
	return heard.Picture, nil
}

// ForLearner turns a learner into one of sounds (learner.Options.Hearing):
// recordings in files, MP3 and WAV, and samples become the spectrograms of their
// loudest seconds. Each learner needs its own.
func ForLearner() learner.Hearing {
	var ear Ear
	return func(p learner.Picture) (*imaging.Image, []float32, error) {
		var heard *Heard
		var err error
		if p.Rate == 0 {
			heard, err = ear.File(p.Data)
		} else {
			heard, err = ear.Samples(p.Samples, p.Rate)
		}
		switch {
		case errors.Is(err, ErrSilent):
			return nil, nil, &learner.Error{Code: learner.CodeSilent, Message: err.Error()}
		case err != nil:
			return nil, nil, &learner.Error{Code: learner.CodeBadSound, Message: err.Error()}
		}
		return heard.Picture, heard.Second, nil
	}
}
