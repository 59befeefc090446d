package sound

import (
	"errors"

	"github.com/deepemd/deepemd/core/imaging"
	"github.com/deepemd/deepemd/core/learner"
)

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
