package webdriver

import "strings"

// object is a piece of JSON.
type object = map[string]any

// pointerActions returns the input actions, the same in both protocols, that move the mouse to
// a position in the window and press or release its left button there.
func pointerActions(press bool, x, y float64) []object {
	kind := "pointerUp"
	if press {
		kind = "pointerDown"
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
