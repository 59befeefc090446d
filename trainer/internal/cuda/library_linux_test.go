//go:build (amd64 || arm64) && !nocuda

package cuda

import (
	"fmt"
	"strings"
	"sync"
	"testing"
)

// TestErrorsNameTheirLibrary: the error of a missing library names this library, also while
// the runtime moves goroutines between threads.
func TestErrorsNameTheirLibrary(t *testing.T) {
	var all sync.WaitGroup
	for g := range 8 {
		all.Go(func() {
			for i := range 500 {
				name := fmt.Sprintf("libnone%d-%d.so", g, i)
				if _, err := openFirst([]string{name}, []string{""}); err == nil || strings.Count(err.Error(), name) < 2 {
					t.Errorf("%s: %v", name, err)
					return
				}
			}
		})
	}
	all.Wait()
}
