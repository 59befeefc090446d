package jsvalue

import (
	"reflect"
	"testing"
)

func TestNames(t *testing.T) {
	for name, want := range map[string]string{
		"ID": "id", "ClassID": "classId", "EmbedMS": "embedMs", "MS": "ms", "WorstPauseMS": "worstPauseMs", "InputSize": "inputSize", "TrainSlice": "trainSlice",
	} {
		if got := Lower(name); got != want {
			t.Errorf("%s is %s, want %s", name, got, want)
		}
	}
	for tag, want := range map[reflect.StructTag]struct {
		name string
		omit bool
	}{
		"": {"flow", false}, `wire:"amount"`: {"amount", false}, `wire:",omitempty"`: {"flow", true}, `json:"x,omitempty"`: {"x", true}, `wire:"a" json:"b"`: {"a", false}, `wire:"-"`: {"", false},
	} {
		if name, omit := Name("Flow", tag); name != want.name || omit != want.omit {
			t.Errorf("%s: %q, %v, want %+v", tag, name, omit, want)
		}
	}
}
