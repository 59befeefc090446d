//go:build !js

package wasmtest

import (
	"math"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/core/answer"
)

// Failure is the result of the page's function failure.
type Failure struct{ Code, Message string }

// Check fails the test unless the code matches and the message contains all names.
func (f Failure) Check(t *testing.T, code string, names ...string) {
	t.Helper()
	if f.Code != code {
		t.Errorf("code %q (%s), want %q", f.Code, f.Message, code)
	}
	for _, name := range names {
		if !strings.Contains(f.Message, name) {
			t.Errorf("message %q does not name %q", f.Message, name)
		}
	}
}

// SameScores compares the scores of classes, whose labels may differ. After a lack of memory, other
// kernels compute, so the last bits may differ.
func SameScores(t *testing.T, got, want []answer.Score) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%d classes, want %d", len(got), len(want))
	}
	for i, w := range want {
		if g := got[i]; g.ID != w.ID || math.Abs(g.Logit-w.Logit) > 1e-4 {
			t.Errorf("place %d: %s %v, want %s %v", i, g.ID, g.Logit, w.ID, w.Logit)
		}
	}
}
