package actions

import (
	"cmp"

	"github.com/deepemd/deepemd/web/internal/kernel"
	"github.com/deepemd/deepemd/web/internal/texts"
)

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
		reasons := map[string]string{kernel.CodeTooLarge: t.Then.TooLarge, kernel.CodeBadMedium: t.Then.BadMedium}
		return t.Then.NotMedium(name), cmp.Or(reasons[kernel.CodeOf(err)], kernel.Reason(t, err))
	})
}
