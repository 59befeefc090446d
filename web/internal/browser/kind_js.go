package browser

import (
	"syscall/js"

	"github.com/deepemd/deepemd/core/project"
)

// Kind returns the kind of the page's projects, which its address names.
func Kind() string {
	if js.Global().Get("studio").Get("sounds").Truthy() {
		return project.KindSound
	}
	return project.KindImage
}

// GoTo goes to the page for projects of a kind.
func GoTo(kind string) {
	hash := ""
	if kind == project.KindSound {
		hash = "sounds"
	}
	js.Global().Get("location").Set("hash", hash)
}
