package session

import (
	"cmp"

	"github.com/deepemd/deepemd/web/internal/texts"
)

// The keys of notices about projects.
const (
	noticeSave    = "save"
	noticeProject = "project"
	noticeRemoved = "removed"
)

// notKept says that this browser keeps nothing.
func notKept(err error) Notice {
	return Notice{
		Key: noticeSave, Kind: Warning, Detail: detail(err),
		say: func(t *texts.Texts) (title, text string) {
			return t.Project.NotKept, paragraph(projectReason(t, err), t.Project.NotKeptRemedy)
		},
	}
}

// notSaved says that the last changes are not kept yet.
func notSaved(err error) Notice {
	return Notice{
		Key: noticeSave, Kind: Warning, Detail: detail(err), Action: ActionSaveAgain,
		say: func(t *texts.Texts) (title, text string) {
			return t.Project.NotSaved, paragraph(projectReason(t, err), t.Project.NotSavedRemedy)
		},
	}
}

func projectNotOpened(name string, err error) Notice {
	return Notice{
		Key: noticeProject, Kind: Warning, Detail: detail(err),
		say: func(t *texts.Texts) (title, text string) {
			return t.Project.NotOpened(name), projectReason(t, err)
		},
	}
}

// projectDamaged names a project that cannot be opened.
func projectDamaged(name string) Notice {
	return Notice{
		Key: noticeProject, Kind: Warning,
		say: func(t *texts.Texts) (title, text string) {
			return t.Project.NotOpened(cmp.Or(name, t.Project.Nameless)), t.Project.DamagedText
		},
	}
}

// examplesLost says that a project is without some examples.
func examplesLost(name string, n int) Notice {
	return Notice{
		Key: noticeProject, Kind: Warning,
		say: func(t *texts.Texts) (title, text string) { return t.Project.Lost(name, n), t.Project.LostText },
	}
}

func fileNotOpened(name string, err error) Notice {
	return Notice{
		Key: noticeProject, Kind: Warning, Detail: detail(err),
		say: func(t *texts.Texts) (title, text string) {
			return t.Project.NotOpened(name), paragraph(projectReason(t, err), t.Project.NothingLost)
		},
	}
}

func notWritten(err error) Notice {
	return Notice{
		Key: noticeProject, Kind: Warning, Detail: detail(err),
		say: func(t *texts.Texts) (title, text string) { return t.Project.NotWritten, projectReason(t, err) },
	}
}

func pageReady() Notice {
	return Notice{
		Key: noticeProject, Kind: News, Action: ActionSend,
		say: func(t *texts.Texts) (title, text string) { return t.Project.PageReady, t.Project.PageReadyText },
	}
}

func projectTrouble(err error) Notice {
	return Notice{
		Key: noticeProject, Kind: Warning, Detail: detail(err),
		say: func(t *texts.Texts) (title, text string) { return t.Project.Trouble, projectReason(t, err) },
	}
}

// projectRemoved offers to bring a project back.
func projectRemoved(id, name string) Notice {
	return Notice{
		Key: noticeRemoved, Kind: News, Action: ActionRetrieveProject, Subject: id,
		say: func(t *texts.Texts) (title, text string) {
			return t.Project.Removed(cmp.Or(name, t.Project.Nameless)), t.Project.RemovedText
		},
	}
}

// projectReason says why something about projects failed.
func projectReason(t *texts.Texts, err error) string {
	switch codeOf(err) {
	case CodeElsewhere:
		return t.Project.Elsewhere
	case CodeFull:
		return t.Project.Full
	case CodeNoStore:
		return t.Project.NoStore
	case CodeGone:
		return t.Project.Gone
	case CodeBadZip:
		return t.Bring.BadZip
	case CodePoses:
		return t.Bring.Poses(err.Error())
	case CodeSounds:
		return t.Bring.Sounds(err.Error())
	case CodeNoExamples:
		return t.Bring.NoExamples
	case CodeOtherKind:
		return t.Project.OtherKind
	}
	return reason(t, err)
}
