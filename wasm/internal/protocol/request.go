package protocol

import (
	"reflect"

	"github.com/deepemd/deepemd/core/answer"
	"github.com/deepemd/deepemd/core/method"
	"github.com/deepemd/deepemd/internal/jsvalue"
)

// Message is a type of request, with the type of its reply: pointers to structs. Reply is nil if the reply has no
// fields.
type Message struct{ Request, Reply any }

// Messages has all requests.
var Messages = []Message{
	{new(Classify), new(answer.Answer)}, {new(Embed), new(Embedding)}, {new(Explain), new(answer.Explanation)}, {new(Review), new(answer.Review)},
	{new(Inputs), new(Crops)}, {new(Encode), new(Encoded)},
	{new(Train), new(answer.Gain)}, {new(Learn), nil}, {new(Growth), new(answer.Curve)}, {new(Stop), nil},
	{new(Memory), new(MemoryUse)}, {new(Crash), nil},
	{new(Init), new(Started)}, {new(Reshape), nil}, {new(Configure), new(Configured)},
	{new(AddClass), nil}, {new(RenameClass), nil}, {new(RemoveClass), nil}, {new(EnableClass), nil},
	{new(AddExample), new(Added)}, {new(RemoveExample), nil},
	{new(Begin), new(Begun)}, {new(Commit), nil}, {new(Discard), nil},
}

// New returns a pointer to a new request of a type, with the default method if it has a method, or
// nil for an unknown type.
func New(name string) any {
	for _, known := range Messages {
		if Type(known.Request) != name {
			continue
		}
		request := reflect.New(reflect.TypeOf(known.Request).Elem()).Interface()
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
