package ui

import "github.com/maxence-charriere/go-app/v9/pkg/app"

// The icons: stroked paths on a 24 by 24 grid.
const (
	IconCamera   = "M4 8h3l1.5-2.5h7L17 8h3a1 1 0 0 1 1 1v9a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1V9a1 1 0 0 1 1-1zM12 16.5a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7z"
	IconStop     = "M7 7h10v10H7z"
	IconUpload   = "M12 16V5m0 0L7.5 9.5M12 5l4.5 4.5M4 16v3a1 1 0 0 0 1 1h14a1 1 0 0 0 1-1v-3"
	IconTrash    = "M4.5 7h15M10 7V4.5h4V7m-7.5 0 .8 12a1 1 0 0 0 1 1h7.4a1 1 0 0 0 1-1l.8-12M10 11v5.5M14 11v5.5"
	IconPlus     = "M12 5v14M5 12h14"
	IconClose    = "M6.5 6.5l11 11M17.5 6.5l-11 11"
	IconLock     = "M7 11V8a5 5 0 0 1 10 0v3M6 11h12v9H6z"
	IconSettings = "M4 7h9M19 7h1M4 17h1M11 17h9M16 4.5a2.5 2.5 0 1 1 0 5 2.5 2.5 0 0 1 0-5zM8 14.5a2.5 2.5 0 1 1 0 5 2.5 2.5 0 0 1 0-5z"
	IconLoupe    = "M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13zM15.5 15.5 20 20"
	IconFold     = "M6.5 14.5 12 9l5.5 5.5"
	IconTurn     = "M4 12a8 8 0 0 1 13.7-5.6L20 8.5M20 4v4.5h-4.5M20 12a8 8 0 0 1-13.7 5.6L4 15.5M4 20v-4.5h4.5"
	IconImage    = "M4 5h16v14H4zM4 16l4.5-4.5 3.5 3.5 3-3 5 5M15 9.5h.01"

	IconMicrophone = "M12 14.5a3 3 0 0 0 3-3v-5a3 3 0 0 0-6 0v5a3 3 0 0 0 3 3zM6 11.5a6 6 0 0 0 12 0M12 17.5v3M9 20.5h6"

	IconLearn      = "M12 4l8 4-8 4-8-4 8-4zM7 10v4.5c2.8 2 7.2 2 10 0V10M20 8v5"
	IconEye        = "M3 12s3.3-6 9-6 9 6 9 6-3.3 6-9 6-9-6-9-6zM12 14.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5z"
	IconEyeOff     = "M4 4l16 16M9.9 6.3A9 9 0 0 1 12 6c5.700 0 9 6 9 6a16 16 0 0 1-2.600 3.300M6.500 8A15.500 15.500 0 0 0 3 12s3.300 6 9 6a9 9 0 0 0 4-.9M10 10a2.800 2.800 0 0 0 4 4"
	IconFrame      = "M7 3v14h14M3 7h14v14"
	IconFullScreen = "M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5"
	IconTimer      = "M12 20.5a7.5 7.5 0 1 0 0-15 7.5 7.5 0 0 0 0 15zM12 9v4.500l3 1.500M9.500 2.500h5M18.500 6l1.500-1.500"
	IconHeat       = "M12 20.500c-3.300 0-6-2.600-6-5.900 0-4 4.200-5.400 3.900-10.600 4 1.900 5 4.900 4.400 7.400 1-.3 1.700-1.200 1.900-2.200 1.300 1.700 1.800 3.500 1.800 5.400 0 3.300-2.700 5.900-6 5.900z"
	IconEmpty      = "M12 18.5a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13zM5 19 19 5"
	IconFolder     = "M3.5 6h6l2 2.5h9V19h-17z"
	IconUndo       = "M8 5L4 9l4 4M4 9h10a5.5 5.5 0 0 1 0 11h-3"
	IconRedo       = "M16 5l4 4-4 4M20 9H10a5.5 5.5 0 0 0 0 11h3"
	IconCopy       = "M9 9h11v11H9zM5.5 15H4V4h11v1.5"
	IconSave       = "M12 4v11m0 0l-4.5-4.5M12 15l4.5-4.5M4 17v2a1 1 0 0 0 1 1h14a1 1 0 0 0 1-1v-2"
	IconPage       = "M6 3.5h8l4 4v13H6zM14 3.5v4h4M9 12h6M9 16h6"
	IconSend       = "M12 14.5V3.5m0 0L8 7.500M12 3.500l4 4M8 11H5.500v9.500h13V11H16"
	IconCode       = "M9 7.5L4.500 12 9 16.500M15 7.500l4.500 4.500-4.500 4.500"
	IconPlay       = "M8 5.5v13l10.500-6.500z"
	IconChevron    = "M6 9.5l6 6 6-6"
	IconArrow      = "M4 12h15M13 6l6 6-6 6"

	IconLesson = "M12 7c-2-1.500-4.500-2-8-2v12.500c3.500 0 6 .5 8 2 2-1.500 4.500-2 8-2V5c-3.500 0-6 .5-8 2zM12 7v12.500"
	IconTick   = "M5 12.500l4.500 4.500L19 7.500"
	IconPen    = "M5 19l1-4.500L16.500 4l3.500 3.500L9.500 18 5 19zM14 6.500l3.500 3.500"

	IconSpeech = "M4 5h16v10.5h-9.500L6 19.500v-4H4zM8 9h8M8 12h5"
	IconNote   = "M9 17.500a2.500 2.500 0 1 1-5 0 2.500 2.500 0 0 1 5 0zM9 17.500V6l11-2v11.500M20 15.500a2.500 2.500 0 1 1-5 0 2.500 2.500 0 0 1 5 0z"
	IconSmile  = "M12 20.500a8.500 8.500 0 1 0 0-17 8.500 8.500 0 0 0 0 17zM9 10h.01M15 10h.01M8.500 14.500c1.800 2.200 5.200 2.200 7 0"
	IconTally  = "M6 5v14M10 5v14M14 5v14M18 5v14M3.500 16l17-8"
	IconWindow = "M4 5h16v14H4zM4 9.500h16M7 7.300h.01M9.500 7.300h.01"
	IconPlug   = "M9 3.500v5M15 3.500v5M6.500 8.500h11v3a5.500 5.500 0 0 1-11 0zM12 17v3.500"
)

// Icon draws an icon. It is decorative: its text or the label of its button has the meaning.
//
//go:noinline // called a hundred times, in what a browser downloads
func Icon(path string) app.UI {
	return app.Raw(`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path d="` + path + `"></path></svg>`)
}

// Logo returns the page's logo: two sets of nodes and the flow between them.
func Logo() app.UI {
	return app.Raw(`<svg class="logo" viewBox="0 0 48 48" aria-hidden="true">` +
		`<path class="flow strong" d="M12 12C24 12 24 24 36 24"></path>` +
		`<path class="flow" d="M12 24C24 24 24 36 36 36"></path>` +
		`<path class="flow" d="M12 36C24 36 24 12 36 12"></path>` +
		`<path class="flow faint" d="M12 12C24 12 24 12 36 12"></path>` +
		`<circle class="from" cx="12" cy="12" r="5"></circle><circle class="from" cx="12" cy="24" r="4"></circle><circle class="from" cx="12" cy="36" r="4"></circle>` +
		`<circle class="to" cx="36" cy="12" r="4"></circle><circle class="to" cx="36" cy="24" r="5"></circle><circle class="to" cx="36" cy="36" r="4"></circle>` +
		`</svg>`)
}

// Tool returns a small button below the stage: an icon, with a short text if there is room. The
// label and the title say more; the label contains the text.
func Tool(id, icon, text, label, title string) app.HTMLButton {
	return app.Button().Type("button").ID(id).Class("plain").Aria("label", label).Title(title).
		Body(Icon(icon), app.Span().Text(text))
}
