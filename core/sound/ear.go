package sound

import (
	"errors"
	"sync"

	"github.com/deepemd/deepemd/core/imaging"
	"github.com/deepemd/deepemd/core/learner"
)

// Picture returns the spectrogram of the loudest second of an MP3 or WAV file. It is safe for
// concurrent use.
//
// # Errors
//
// The same as Decode and Clip.Second.
func Picture(file []byte) (*imaging.Image, error) {
	clip, err := Decode(file)
	if err != nil {
		return nil, err
	}
	second, err := clip.Second()
	if err != nil {
		return nil, err
	}
	return NewAnalyzer().Analyze(second).Picture(), nil
}

// ForLearner returns the option learner.Options.Hearing, which makes a learner recognize sounds:
// MP3 and WAV files and microphone samples become the spectrograms of their loudest seconds.
func ForLearner() learner.Hearing {
	var lock sync.Mutex
	analyzer := sync.OnceValue(NewAnalyzer) // computes its tables for the first recording
	return func(p learner.Picture) (*imaging.Image, []float32, error) {
		var clip *Clip
		var second []float32
		var err error
		if p.Rate != 0 || len(p.Data) == 0 && len(p.Samples) > 0 {
			clip, err = FromSamples(p.Samples, p.Rate)
		} else {
			clip, err = Decode(p.Data)
		}
		if err == nil {
			second, err = clip.Second()
		}
		switch {
		case errors.Is(err, ErrSilent):
			return nil, nil, &learner.Error{Code: learner.CodeSilent, Message: err.Error()}
		case err != nil:
			return nil, nil, &learner.Error{Code: learner.CodeBadSound, Message: err.Error()}
		}
		lock.Lock()
		defer lock.Unlock()
		return analyzer().Analyze(second).Picture(), second, nil
	}
}
