package actions

import (
	"github.com/deepemd/deepemd/web/internal/kernel"
	"github.com/deepemd/deepemd/web/internal/texts"
)

// The keys of notices about effects.
const (
	noticeEffect = "effect"
	noticeMedium = "medium"
)

// effectFailed says which effect did not happen, and why.
func effectFailed(err error) kernel.Notice {
	return kernel.Notice{
		Key: noticeEffect, Kind: kernel.Warning, Detail: kernel.Detail(err),
		Say: func(t *texts.Texts) (title, text string) {
			switch kernel.CodeOf(err) {
			case kernel.CodeNoVoice:
				return t.Then.NoVoice, t.Then.NoVoiceRemedy
			case kernel.CodeNoDevice:
				return t.Then.NoDevice, t.Then.NoDeviceRemedy
			}
			return t.Then.Failed, kernel.Reason(t, err)
		},
	}
}

// mediumRefused says why a file is no sound or picture for a rule.
func mediumRefused(name string, err error) kernel.Notice {
	return kernel.Notice{
		Key: noticeMedium, Kind: kernel.Warning, Detail: kernel.Detail(err),
		Say: func(t *texts.Texts) (title, text string) {
			title = t.Then.NotMedium(name)
			switch kernel.CodeOf(err) {
			case kernel.CodeTooLarge:
				return title, t.Then.TooLarge
			case kernel.CodeBadMedium:
				return title, t.Then.BadMedium
			}
			return title, kernel.Reason(t, err)
		},
	}
}
