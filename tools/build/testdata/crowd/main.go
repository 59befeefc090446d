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

func (*crowd) Render() app.UI {
	members := make([]app.UI, many)
	for i := range members {
		members[i] = &member{}
	}
	return app.Div().Body(members...)
}

type member struct{ app.Compo }

func (*member) Render() app.UI {
	drawn++
	return app.P()
}

func (*member) OnMount(app.Context) { mounted++ }

func main() {
	page := app.NewClientTester(&crowd{})
	for mounted < many {
		page.ConsumeNext()
	}
	fmt.Println(mounted, drawn)
}
