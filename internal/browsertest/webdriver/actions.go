package webdriver

import "strings"

// object is a JSON object.
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

// enter is the key's code in both protocols.
const enter = "\ue007"

func keyActions(text string) []object {
	var actions []object
	for _, r := range strings.ReplaceAll(text, "\r", enter) {
		actions = append(actions, object{"type": "keyDown", "value": string(r)}, object{"type": "keyUp", "value": string(r)})
	}
	return []object{{"type": "key", "id": "keyboard", "actions": actions}}
}
