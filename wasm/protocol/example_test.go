package protocol_test

import (
	"fmt"

	"github.com/deepemd/deepemd/wasm/protocol"
)

// The type of a request is its name on the wire.
func ExampleRequest() {
	for _, request := range []protocol.Request{&protocol.Init{}, &protocol.AddExample{}, &protocol.Classify{}} {
		fmt.Println(request.Type())
	}
	// Output:
	// init
	// addExample
	// classify
}
