// Command studio is the page: compiled to WebAssembly it runs in the browser,
// where boot.js starts it.
package main

import (
	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"github.com/deepemd/deepemd/web/internal/browser"
	"github.com/deepemd/deepemd/web/internal/session"
	"github.com/deepemd/deepemd/web/internal/texts"
	"github.com/deepemd/deepemd/web/internal/view"
)

func main() {
	texts.Use(browser.Language())
	s, connect := session.New(), browser.ConnectCamera
	if browser.Hears() {
		texts.HearSounds(true)
		s, connect = session.NewOfSounds(), browser.ConnectMicrophone
	}
	app.RouteWithRegexpFunc("", func() app.Composer { return &view.Studio{Session: s} })
	connect(s)
	browser.ConnectStore(s)
	browser.ConnectKeys(s)
	browser.ConnectEngine(s)
	browser.ConnectDevice(s)
	app.RunWhenOnBrowser()
}
