package webdriver

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// object is a piece of JSON.
type object = map[string]any

// pointerActions are the input actions, alike in both protocols, of a mouse that moves to
// a place in the window and is pressed or let go there. It stays so between commands.
func pointerActions(what pointing, x, y float64) []object {
	kind := "pointerDown"
	if what == release {
		kind = "pointerUp"
	}
	return []object{{"type": "pointer", "id": "mouse", "parameters": object{"pointerType": "mouse"}, "actions": []object{
		{"type": "pointerMove", "x": int(x), "y": int(y), "origin": "viewport"},
		{"type": kind, "button": 0},
	}}}
}

// enter is the protocols' sign for the key.
const enter = "\ue007"

// keyActions are the input actions of typing text.
func keyActions(text string) []object {
	var actions []object
	for _, r := range strings.ReplaceAll(text, "\r", enter) {
		actions = append(actions, object{"type": "keyDown", "value": string(r)}, object{"type": "keyUp", "value": string(r)})
	}
	return []object{{"type": "key", "id": "keyboard", "actions": actions}}
}

// shortly cuts a long text.
func shortly(text string) string {
	const most = 500
	if utf8.RuneCountInString(text) <= most {
		return text
	}
	return fmt.Sprintf("%s… (%d bytes)", string([]rune(text)[:most]), len(text))
}
