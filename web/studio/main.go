// Command studio is the page's program: compiled to WebAssembly and started by boot.js.
package main

import (
	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"github.com/deepemd/deepemd/web/internal/browser"
	"github.com/deepemd/deepemd/web/internal/feature"
)

func main() {
	studio := feature.Studio(browser.Kind(), browser.Language())
	app.RouteWithRegexpFunc("", func() app.Composer { return studio })
	browser.Connect(studio.Kernel)
	app.RunWhenOnBrowser()
}
