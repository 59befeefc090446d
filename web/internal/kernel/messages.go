package kernel

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/deepemd/deepemd/web/internal/texts"
)

// Keys of notices. A notice replaces the previous one of its key.
const (
	NoticeEngine = "engine"
	NoticeFiles  = "files"
	NoticeCamera = "camera"
	NoticeUpdate = "update"
	noticeMethod = "method"

	NoticeUndo = "undo" // about the latest step: the next step dismisses it
)

// refusal is a file that could not be read as an image or sound.
type refusal struct {
	name string
	err  error
}

func (r refusal) reason(t *texts.Texts) string {
	kind := extension(r.name)
	switch {
	case CodeOf(r.err) == CodeBadImage && isOneOf(kind, ".mp3 .wav .m4a .aac .ogg .oga .opus .flac .aif .aiff"),
		CodeOf(r.err) == CodeBadSound && isOneOf(kind, ".jpg .jpeg .png .webp .gif .heic .heif .bmp"):
		return t.Notice.OtherKind
	case CodeOf(r.err) != CodeBadImage:
	case isVideo(r.name):
		return t.Notice.Video
	case kind == ".heic" || kind == ".heif":
		return t.Notice.Heic
	case kind == ".pdf":
		return t.Notice.Pdf
	}
	return Reason(t, r.err)
}

func extension(name string) string { return strings.ToLower(path.Ext(name)) }

func isVideo(name string) bool {
	return isOneOf(extension(name), ".mp4 .m4v .mov .webm .mkv .avi .3gp .ogv")
}

func isOneOf(extension, extensions string) bool {
	return slices.Contains(strings.Fields(extensions), extension)
}

// Reason returns the text for an error.
func Reason(t *texts.Texts, err error) string {
	switch code := CodeOf(err); code {
	case CodePoses:
		return t.Bring.Poses(err.Error())
	case CodeSounds:
		return t.Bring.Sounds(err.Error())
	case CodeNoExamples:
		return t.Bring.NoExamples
	default:
		return t.Reason(code)
	}
}

// plain lists the codes of errors whose text is complete.
var plain = []string{
	CodeBadImage, CodeSilent, CodeOutOfMemory, CodeEmpty, CodeChanged, CodeStopped,
	CodeDenied, CodeMissing, CodeTaken, CodeInsecure, CodeUnplugged, CodeLate,
	CodeElsewhere, CodeFull, CodeNoStore, CodeOtherKind, CodeGone, CodeBadZip, CodePoses, CodeSounds, CodeNoExamples,
	CodeNoVoice, CodeNoDevice, CodeTooLarge, CodeBadMedium,
}

// Detail returns the error message for experts, or "" if there is
// no error or the page's text is complete.
func Detail(err error) string {
	if err == nil || slices.Contains(plain, CodeOf(err)) {
		return ""
	}
	return err.Error()
}

// Paragraph joins the sentences that are not empty.
func Paragraph(sentences ...string) string {
	return strings.Join(slices.DeleteFunc(sentences, func(s string) bool { return s == "" }), " ")
}

// engineTrouble reports that the engine does not run, and offers to load or restart it.
func (k *Kernel) engineTrouble(err error, say func(*texts.Texts) (title, text string)) Notice {
	retry := &Offer{Text: func(t *texts.Texts) string { return t.Notice.Retry }, Do: k.Engine.Retry}
	return Notice{Key: NoticeEngine, Kind: Trouble, Detail: Detail(err), Offer: retry, Say: say}
}

func (k *Kernel) engineCrashed(err error, restarting bool, examples int) Notice {
	if !restarting {
		return k.engineTrouble(err, func(t *texts.Texts) (title, text string) {
			return t.Notice.EngineGone, Paragraph(Reason(t, err), t.Notice.Kept(examples), t.Notice.EngineGoneRemedy)
		})
	}
	return Warn(NoticeEngine, err, func(t *texts.Texts) (title, text string) {
		title = t.Notice.EngineCrashed
		if CodeOf(err) == CodeOutOfMemory {
			title = t.Notice.EngineMemory
		}
		return title, Paragraph(Reason(t, err), t.Notice.Kept(examples))
	})
}

func engineRestarted(examples int) Notice {
	return Notice{
		Key: NoticeEngine, Kind: Good,
		Say: func(t *texts.Texts) (title, text string) { return t.Notice.EngineRestarted, t.Notice.Kept(examples) },
	}
}

func (k *Kernel) captureWithoutCamera() Notice {
	n := Warn(NoticeCamera, nil, func(t *texts.Texts) (title, text string) { return t.Notice.CameraOff, t.Notice.CameraOffRemedy })
	n.Offer = &Offer{Text: func(t *texts.Texts) string { return t.Camera.Start }, Do: func() { k.Camera.Start("") }}
	return n
}

// notPictures names files that are not images or sounds, and their remedies. added reports whether
// other files became examples.
func notPictures(refused []refusal, added bool) Notice {
	const shown = 3
	var details []string
	for _, r := range refused[:min(len(refused), shown)] {
		if detail := Detail(r.err); detail != "" {
			details = append(details, r.name+": "+detail)
		}
	}
	notice := Warn(NoticeFiles, nil, func(t *texts.Texts) (title, text string) {
		if len(refused) == 1 {
			return t.Notice.NotPicture(refused[0].name), refused[0].reason(t)
		}
		var names, why []string
		for _, r := range refused[:min(len(refused), shown)] {
			names = append(names, r.name)
			if reason := r.reason(t); !slices.Contains(why, reason) {
				why = append(why, reason)
			}
		}
		if more := len(refused) - shown; more > 0 {
			names = append(names, t.Notice.More(more))
		}
		if added {
			why = append(why, t.Notice.OthersAdded)
		}
		return t.Notice.NotPictures(t.Join(names)), Paragraph(why...)
	})
	notice.Detail = strings.Join(details, "\n")
	return notice
}

// undoable reports a step, and offers to undo it. classID is the class whose button then gets the focus, or "".
func (k *Kernel) undoable(classID string, say func(*texts.Texts) string) Notice {
	n := Tell(NoticeUndo, k.UndoOffer(classID), func(t *texts.Texts) (title, text string) { return say(t), "" })
	n.Lasts = UndoLasts
	return n
}

// UndoOffer offers to undo the latest step, which changed a class.
func (k *Kernel) UndoOffer(classID string) *Offer {
	return &Offer{Text: func(t *texts.Texts) string { return t.Project.Undo }, Do: k.Classes.Undo, Focus: classID}
}

// CameraTrouble says why no camera could be started, and the remedies.
func CameraTrouble(t *texts.Texts, err error) (title, text string) {
	words := map[string][2]string{
		CodeDenied:    {t.Notice.CameraDenied, t.Notice.CameraDeniedRemedy},
		CodeMissing:   {t.Notice.CameraMissing, t.Notice.CameraMissingText},
		CodeTaken:     {t.Notice.CameraTaken, t.Notice.CameraTakenRemedy},
		CodeInsecure:  {t.Notice.CameraInsecure, t.Notice.CameraInsecureText},
		CodeUnplugged: {t.Notice.CameraGone, t.Notice.CameraGoneRemedy},
		CodeLate:      {t.Notice.CameraFailed, t.Notice.CameraLateRemedy},
	}
	if words, known := words[CodeOf(err)]; known {
		return words[0], Paragraph(words[1], t.Notice.OrFiles)
	}
	return t.Notice.CameraFailed, Paragraph(Reason(t, err), t.Notice.CameraFailedRemedy, t.Notice.OrFiles)
}

// Keys of notices about projects.
const (
	NoticeSave    = "save"
	NoticeProject = "project"
	NoticeRemoved = "removed"
)

// notKept reports that this browser saves nothing.
func notKept(err error) Notice {
	return Warn(NoticeSave, err, func(t *texts.Texts) (title, text string) {
		return t.Project.NotKept, Paragraph(Reason(t, err), t.Project.NotKeptRemedy)
	})
}

// notSaved reports that the latest changes are not saved.
func (p *Project) notSaved(err error) Notice {
	n := Warn(NoticeSave, err, func(t *texts.Texts) (title, text string) {
		return t.Project.NotSaved, Paragraph(Reason(t, err), t.Project.NotSavedRemedy)
	})
	n.Offer = &Offer{Text: func(t *texts.Texts) string { return t.Project.SaveAgain }, Do: p.Touch}
	return n
}

func projectNotOpened(name string, err error) Notice {
	return Warn(NoticeProject, err, func(t *texts.Texts) (title, text string) {
		return t.Project.NotOpened(name), Reason(t, err)
	})
}

func fileNotOpened(name string, err error) Notice {
	return Warn(NoticeProject, err, func(t *texts.Texts) (title, text string) {
		return t.Project.NotOpened(name), Paragraph(Reason(t, err), t.Project.NothingLost)
	})
}

func projectTrouble(err error) Notice {
	return Warn(NoticeProject, err, func(t *texts.Texts) (title, text string) { return t.Project.Trouble, Reason(t, err) })
}

// projectRemoved reports a removed project, and offers to restore it if it is kept.
func (p *Project) projectRemoved(id, name string, kept bool) Notice {
	var offer *Offer
	if kept {
		offer = &Offer{Text: func(t *texts.Texts) string { return t.Project.Retrieve }, Do: func() { p.Retrieve(id) }}
	}
	return Tell(NoticeRemoved, offer, func(t *texts.Texts) (title, text string) {
		if title = t.Project.Removed(cmp.Or(name, t.Project.Nameless)); kept {
			text = t.Project.RemovedText
		}
		return title, text
	})
}
