package actions

import (
	"github.com/deepemd/deepemd/web/internal/kernel"
	"github.com/deepemd/deepemd/web/internal/texts"
)

// Keys of notices about effects.
const (
	noticeEffect = "effect"
	noticeMedium = "medium"
)

func effectFailed(err error) kernel.Notice {
	return kernel.Warn(noticeEffect, err, func(t *texts.Texts) (title, text string) {
		switch kernel.CodeOf(err) {
		case kernel.CodeNoVoice:
			return t.Then.NoVoice, t.Then.NoVoiceRemedy
		case kernel.CodeNoDevice:
			return t.Then.NoDevice, t.Then.NoDeviceRemedy
		}
		return t.Then.Failed, kernel.Reason(t, err)
	})
}

// mediumRefused reports a file that is not a sound or picture.
func mediumRefused(name string, err error) kernel.Notice {
	return kernel.Warn(noticeMedium, err, func(t *texts.Texts) (title, text string) {
		title = t.Then.NotMedium(name)
		switch kernel.CodeOf(err) {
		case kernel.CodeTooLarge:
			return title, t.Then.TooLarge
		case kernel.CodeBadMedium:
			return title, t.Then.BadMedium
		}
		return title, kernel.Reason(t, err)
	})
}
