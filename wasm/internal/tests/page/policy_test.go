//go:build !js

package page_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/deepemd/deepemd/internal/browsertest"
	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/internal/testsite"
)

// TestPolicies: if the Content-Security-Policy is too strict, the error names the directive.
func TestPolicies(t *testing.T) {
	files := http.FileServer(http.Dir(require.Value(testsite.Site())(t)))
	for name, c := range map[string]struct{ policy, code, remedy string }{
		"programs": {"script-src 'self'", "unsupported", "'wasm-unsafe-eval'"},
		"requests": {"script-src 'self' 'wasm-unsafe-eval'; connect-src 'none'", "network", "connect-src"},
	} {
		t.Run(name, func(t *testing.T) {
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Content-Security-Policy", c.policy)
				if r.URL.Path == "/blank" {
					w.Header().Set("Content-Type", "text/html")
					return
				}
				files.ServeHTTP(w, r)
			}))
			t.Cleanup(server.Close)
			b := browsertest.Start(t, browsertest.Options{})
			b.Open(server.URL + "/blank")
			for _, f := range browsertest.Eval[[]failure](b, `(async () => {
				const { DeepEMD } = await import("/deepemd/deepemd.js"), { loadSolver } = await import("/deepemd/solver.js");
				const failure = (call) => call.then(() => ({ code: "none", message: "" }), ({ code, message }) => ({ code, message }));
				return [await failure(DeepEMD.create()), await failure(loadSolver())];
			})()`) {
				f.Check(t, c.code, c.remedy)
			}
		})
	}
}
