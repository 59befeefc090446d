// Command studio is the page: compiled to WebAssembly it runs in the browser,
// where boot.js starts it.
package main

import (
	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"github.com/deepemd/deepemd/web/internal/browser"
	"github.com/deepemd/deepemd/web/internal/kernel"
	"github.com/deepemd/deepemd/web/internal/view"
)

func main() {
	s := kernel.New(browser.Kind(), browser.Language())
	app.RouteWithRegexpFunc("", func() app.Composer { return view.New(s) })
	browser.Connect(s)
	app.RunWhenOnBrowser()
}
