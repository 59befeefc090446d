package session

import (
	"fmt"
	"strings"
)

// The keys of notices that replace one another.
const (
	noticeEngine = "engine"
	noticeFiles  = "files"
	noticeCamera = "camera"
)

// refusal is a file that could not be read as a picture.
type refusal struct {
	name string
	err  error
}

func engineFailed(err error) Notice {
	return Notice{
		Key: noticeEngine, Kind: Trouble, Action: ActionRetryEngine,
		Title: "The classifier could not be loaded",
		Text:  sentence(err.Error()),
	}
}

func engineCrashed(err error, restarting bool, examples int) Notice {
	n := Notice{
		Key: noticeEngine, Kind: Warning,
		Title: "The classifier stopped and is being restarted",
		Text:  sentence(err.Error()) + " " + kept(examples),
	}
	if codeOf(err) == CodeOutOfMemory {
		n.Title = "The device ran out of memory; the classifier is being restarted"
	}
	if !restarting {
		n.Kind, n.Title = Trouble, "The classifier stopped and did not start again"
		n.Text += " Close other pages, then try again."
		n.Action = ActionRetryEngine
	}
	return n
}

func engineRestarted(examples int) Notice {
	return Notice{
		Key: noticeEngine, Kind: Good,
		Title: "The classifier runs again",
		Text:  kept(examples),
	}
}

func engineTrouble(err error) Notice {
	return Notice{
		Key: noticeEngine, Kind: Warning,
		Title: "The classifier could not do that",
		Text:  sentence(err.Error()),
	}
}

func outOfMemory(err error, examples int) Notice {
	return Notice{
		Key: noticeEngine, Kind: Warning,
		Title: "The device has no memory left for more examples",
		Text:  sentence(err.Error()) + " " + kept(examples) + " Close other tabs or delete some examples, then add more.",
	}
}

func captureWithoutCamera() Notice {
	return Notice{
		Key: noticeCamera, Kind: Warning, Action: ActionStartCamera,
		Title: "The camera is off",
		Text:  "Start it to capture examples, or add pictures from files.",
	}
}

func notPictures(refused []refusal) Notice {
	const shown = 3
	var names []string
	for i, r := range refused {
		if i == shown {
			names = append(names, fmt.Sprintf("%d more", len(refused)-shown))
			break
		}
		names = append(names, r.name)
	}
	n := Notice{
		Key: noticeFiles, Kind: Warning,
		Title: list(names) + " could not be read as pictures",
		Text:  sentence(refused[0].err.Error()) + " The other pictures were added.",
	}
	if len(refused) == 1 {
		n.Title = refused[0].name + " could not be read as a picture"
		n.Text = sentence(refused[0].err.Error())
	}
	return n
}

func cameraFailed(err error) Notice {
	n := Notice{Key: noticeCamera, Kind: Warning, Action: ActionStartCamera}
	const orFiles = " You can also add pictures from files."
	switch codeOf(err) {
	case CodeDenied:
		n.Title = "The camera is not allowed"
		n.Text = "Allow it with the camera sign in the address bar or in the browser's settings, then start it again."
	case CodeMissing:
		n.Title = "No camera was found"
		n.Text = "Connect one, then start it."
	case CodeTaken:
		n.Title = "The camera is in use"
		n.Text = "Another program or tab holds it: close that one, then start the camera again."
	case CodeInsecure:
		n.Title = "The browser gives no camera to this address"
		n.Text = "Cameras work at https addresses and at localhost only: open the page there."
		n.Action = NoAction
	case CodeUnplugged:
		n.Title = "The camera has gone"
		n.Text = "It was unplugged or taken away: connect it, then start it again. Your examples are kept."
	default:
		n.Title = "The camera did not start"
		n.Text = sentence(err.Error()) + " Try again, or choose another camera."
	}
	n.Text += orFiles
	return n
}

func kept(examples int) string {
	switch examples {
	case 0:
		return ""
	case 1:
		return "Your example is kept."
	default:
		return fmt.Sprintf("All %d examples are kept.", examples)
	}
}

// sentence makes an error message into a sentence.
func sentence(message string) string {
	message = strings.TrimSpace(message)
	if message == "" {
		return ""
	}
	if first := message[:1]; !strings.Contains(strings.SplitN(message, " ", 2)[0], ".") {
		message = strings.ToUpper(first) + message[1:]
	}
	if !strings.ContainsAny(message[len(message)-1:], ".!?") {
		message += "."
	}
	return message
}

// list joins names as a person would.
func list(names []string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:len(names)-1], ", ") + " and " + names[len(names)-1]
}
