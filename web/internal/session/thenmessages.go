package session

import "github.com/deepemd/deepemd/web/internal/texts"

// The keys of notices about effects.
const (
	noticeEffect = "effect"
	noticeMedium = "medium"
)

// effectFailed says which effect did not happen, and why.
func effectFailed(err error) Notice {
	return Notice{
		Key: noticeEffect, Kind: Warning, Detail: detail(err),
		say: func(t *texts.Texts) (title, text string) {
			switch codeOf(err) {
			case CodeNoVoice:
				return t.Then.NoVoice, t.Then.NoVoiceRemedy
			case CodeNoDevice:
				return t.Then.NoDevice, t.Then.NoDeviceRemedy
			}
			return t.Then.Failed, reason(t, err)
		},
	}
}

// mediumRefused says why a file is no sound or picture for a rule.
func mediumRefused(name string, err error) Notice {
	return Notice{
		Key: noticeMedium, Kind: Warning, Detail: detail(err),
		say: func(t *texts.Texts) (title, text string) {
			title = t.Then.NotMedium(name)
			switch codeOf(err) {
			case CodeTooLarge:
				return title, t.Then.TooLarge
			case CodeBadMedium:
				return title, t.Then.BadMedium
			}
			return title, reason(t, err)
		},
	}
}
