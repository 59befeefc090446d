// Command crowd draws more components in one frame than go-app's queue holds, and prints how often each was
// drawn.
package main

import (
	"fmt"

	"github.com/maxence-charriere/go-app/v9/pkg/app"
)

const many = 10_000

var drawn, mounted int

type crowd struct{ app.Compo }

// Render implements app.Composer.
func (*crowd) Render() app.UI {
	members := make([]app.UI, many)
	for i := range members {
		members[i] = &member{}
	}
	return app.Div().Body(members...)
}

type member struct{ app.Compo }

// Render counts the drawings.
func (*member) Render() app.UI {
	drawn++
	return app.P()
}

// OnMount counts the mounted members.
func (*member) OnMount(app.Context) { mounted++ }

func main() {
	page := app.NewClientTester(&crowd{})
	for mounted < many {
		page.ConsumeNext()
	}
	fmt.Println(mounted, drawn)
}
