package offline_test

import (
	"bytes"
	"fmt"
	"testing/fstest"

	"github.com/deepemd/deepemd/web/offline"
)

// The service worker names the files that the page needs, each by the digest of its
// content: another content is another version.
func ExampleWorker() {
	script := func(page string) []byte {
		worker, err := offline.Worker(fstest.MapFS{"index.html": {Data: []byte(page)}})
		if err != nil {
			fmt.Println(err)
		}
		return worker
	}
	fmt.Println(bytes.Equal(script("first"), script("first")), bytes.Equal(script("first"), script("second")))
	// Output: true false
}
