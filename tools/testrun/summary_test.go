package main

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/deepemd/deepemd/internal/require"
)

// lines are the events of tests as go test -json writes them: "package test action output".
func lines(t *testing.T, s *summary, all ...string) {
	t.Helper()
	var text strings.Builder
	for _, line := range all {
		f := strings.SplitN(line, " ", 4)
		e := event{Package: "github.com/deepemd/deepemd/" + f[0], Test: strings.TrimPrefix(f[1], "-"), Action: f[2], Elapsed: 1.5}
		if len(f) > 3 {
			e.Output = f[3] + "\n"
		}
		require.NoError(t, json.NewEncoder(&text).Encode(e))
	}
	require.NoError(t, s.read(strings.NewReader(text.String())))
}

var passed = []string{"a - start", "a TestOne run", "a TestOne output === RUN   TestOne", "a TestOne output     a_test.go:5: a note",
	"a TestOne pass", "a TestTwo output     a_test.go:9: no npm here: install npm", "a TestTwo output --- SKIP: TestTwo (0.00s)", "a TestTwo skip",
	"a - output PASS", "a - output ok  \ta\t1.5s", "a - pass"}

// failing is the run of a package of three tests of which the second fails.
func failing(name string) []string {
	return []string{name + " - start", name + " TestOne pass", name + " TestTwo/sub output     x_test.go:3: not equal", name + " TestTwo/sub fail",
		name + " TestTwo output --- FAIL: TestTwo (1.00s)", name + " TestTwo fail", name + " TestThree pass",
		name + " - output FAIL", name + " - output FAIL\t" + name + "\t2.0s", name + " - fail"}
}

func TestSummary(t *testing.T) {
	var out strings.Builder
	s := newSummary(&out)
	lines(t, s, passed...)
	lines(t, s, failing("web")...)
	if want := "ok  \ta\t1.5s\n    x_test.go:3: not equal\n--- FAIL: TestTwo (1.00s)\nFAIL\nFAIL\tweb\t2.0s\n"; out.String() != want {
		t.Errorf("printed %q, want %q", out.String(), want)
	}
	end := s.end(time.Minute)
	for _, want := range []string{"  no npm here: install npm\n    a TestTwo\n", "1.5s a\n", "2 packages in 1m0s"} {
		if !strings.Contains(end, want) {
			t.Errorf("the summary lacks %q:\n%s", want, end)
		}
	}
	if err := s.verdict(); err == nil || err.Error() != "failed: web" {
		t.Errorf("verdict %v", err)
	}
}

func TestLedger(t *testing.T) {
	s := newSummary(&strings.Builder{})
	for i, name := range []string{"x", "y", "z"} {
		lines(t, s, failing(name)...)
		if got, want := s.note("github.com/deepemd/deepemd/"+name), "^(TestTwo)$"; got != want {
			t.Errorf("run again %q, want %q", got, want)
		}
		lines(t, s, name+" - start", name+" TestTwo pass", name+" - output PASS", name+" - pass")
		if err := s.verdict(); (err != nil) != (i >= allowed) {
			t.Errorf("after %d packages: %v", i+1, err)
		}
	}
	if text := s.reruns(); strings.Count(text, "Ran again: ") != 3 || !strings.Contains(text, "Ran again: x TestTwo\n  |     x_test.go:3: not equal\n") {
		t.Errorf("the ledger is\n%s", text)
	}
}

// A process that ended in a test has not run the others.
func TestWholePackageRunsAgain(t *testing.T) {
	var out strings.Builder
	s := newSummary(&out)
	lines(t, s, "x - start", "x TestOne output bye", "x - output FAIL\tx\t0.1s", "x - fail")
	if got := s.note("github.com/deepemd/deepemd/x"); got != "." {
		t.Errorf("run again %q, want all", got)
	}
	if !strings.Contains(out.String(), "bye\n") {
		t.Errorf("printed %q, want what the test wrote", out.String())
	}
}
