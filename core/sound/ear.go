package sound

import (
	"github.com/deepemd/deepemd/core/imaging"
)

// Heard is what an Ear makes of a recording.
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
// Those of package sound.
func (e *Ear) File(data []byte) (*Heard, error) {
	clip, err := Decode(data)
	if err != nil {
		return nil, err
	}
	return e.clip(clip)
}

// Samples takes samples of a microphone, rate of them a second.
//
// # Errors
//
// Those of package sound.
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
// Those of package sound.
func Picture(file []byte) (*imaging.Image, error) {
	var e Ear
	heard, err := e.File(file)
	if err != nil {
		return nil, err
	}
	return heard.Picture, nil
}
