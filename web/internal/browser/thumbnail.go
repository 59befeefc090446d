package browser

import (
	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"github.com/deepemd/deepemd/web/internal/kernel"
	"github.com/deepemd/deepemd/web/internal/texts"
)

// ShowExample shows the pixels that the model saw of an example.
func ShowExample(image app.Value, exampleID string) {
	Gallery.Call("show", Of(image), exampleID)
}

// readable returns an error if the browser cannot decode an image file.
func readable(file kernel.File) error {
	source, err := unpacked(file.Source)
	if err != nil {
		return err
	}
	bitmap, err := Await(Window.Call("createImageBitmap", source))
	if err != nil {
		return &kernel.Error{Code: kernel.CodeBadImage, Message: err.Error()}
	}
	bitmap.Call("close")
	return nil
}

// picturesOf returns pictures of a video; see web/static/web/video.js.
func picturesOf(video kernel.File) ([]kernel.File, error) {
	source, err := unpacked(video.Source)
	if err != nil {
		return nil, err
	}
	blobs, err := Await(Studio.Call("pictures", source))
	if err != nil {
		return nil, err
	}
	pictures := make([]kernel.File, blobs.Length())
	for i := range pictures {
		pictures[i] = kernel.File{Name: texts.Numbered(video.Name, i+1), Source: blobs.Index(i)}
	}
	return pictures, nil
}

// ExampleAt returns the id of an event's example, or "".
func ExampleAt(event app.Value) string {
	item := Of(event).Get("target").Call("closest", "[data-example]")
	if !item.Truthy() {
		return ""
	}
	return item.Get("dataset").Get("example").String()
}

// Columns counts the elements in the first row of a grid with the given id.
func Columns(id string) int {
	list := Document.Call("getElementById", id)
	if !list.Truthy() {
		return 1
	}
	items := list.Get("children")
	n := 0
	for n < items.Length() && items.Index(n).Get("offsetTop").Int() == items.Index(0).Get("offsetTop").Int() {
		n++
	}
	return max(n, 1)
}

// DrawFile draws an image file's central square, upright, as the model sees it.
func DrawFile(canvas app.Value, source any) {
	Studio.Call("drawFile", Of(canvas), source)
}
