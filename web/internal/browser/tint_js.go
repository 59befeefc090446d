package browser

import "github.com/maxence-charriere/go-app/v9/pkg/app"

// Tint draws RGBA pixels, so many in a row, on a canvas, whose pixels they are from then
// on; nil leaves nothing on it.
func Tint(canvas app.Value, rgba []byte, columns int) {
	c := app.JSValue(canvas)
	if rgba == nil {
		c.Set("width", c.Get("width"))
		return
	}
	for name, pixels := range map[string]int{"width": columns, "height": len(rgba) / 4 / columns} {
		if c.Get(name).Int() != pixels {
			c.Set(name, pixels)
		}
	}
	c.Call("getContext", "2d").Call("putImageData", imageData(rgba, columns), 0, 0)
}
