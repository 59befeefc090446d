package protocol

import (
	"reflect"

	"github.com/deepemd/deepemd/core/method"
	"github.com/deepemd/deepemd/internal/jsvalue"
)

// requests has one request of each type.
var requests = []any{
	new(Init), new(Reshape), new(Configure), new(AddClass), new(RenameClass), new(RemoveClass), new(EnableClass),
	new(AddExample), new(RemoveExample), new(Begin), new(Commit), new(Discard), new(Classify), new(Embed), new(Explain), new(Review),
	new(Train), new(Learn), new(Growth), new(Stop), new(Inputs), new(Encode), new(Memory), new(Crash),
}

// New returns a pointer to a new request of a type, with the default method if it has a method, or
// nil for an unknown type.
func New(name string) any {
	for _, known := range requests {
		if Type(known) != name {
			continue
		}
		request := reflect.New(reflect.TypeOf(known).Elem()).Interface()
		switch request := request.(type) {
		case *Init:
			request.Method = method.Default()
		case *Configure:
			request.Method = method.Default()
		case *Begin:
			request.Method = method.Default()
		}
		return request
	}
	return nil
}

// Type returns the type of a request in messages; "" for nil.
func Type(request any) string {
	if request == nil {
		return ""
	}
	return jsvalue.Lower(reflect.TypeOf(request).Elem().Name())
}
