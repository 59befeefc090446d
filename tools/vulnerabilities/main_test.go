package main

import (
	"errors"
	"strings"
	"testing"
)

// ended is how a program ended.
type ended int

func (e ended) Error() string { return "it ended" }
func (e ended) ExitCode() int { return int(e) }

// Only a database that does not answer is a reason to look no further: what fails
// otherwise is an error, so that a broken check never passes for a clean one.
func TestJudge(t *testing.T) {
	const unanswered = `govulncheck: fetching vulnerabilities: Get "https://example.org/index/modules.json.gz": dial tcp: lookup example.org: no such host`
	for _, c := range []struct {
		name, text string
		err        error
		what, why  string
	}{
		{"clean", "No vulnerabilities found.\n", nil, clean, ""},
		{"vulnerable", "=== Symbol Results ===\n\nVulnerability #1: GO-2026-1\n", ended(3), vulnerable, ""},
		{"no database", unanswered + "\n", ended(1), silent, "no such host"},
		{"no database, after a warning", "govulncheck: warning: old\n" + unanswered, ended(1), silent, "no such host"},
		{"does not compile", "govulncheck: loading packages: \nThere are errors with the provided package patterns", ended(1), failed, ""},
		{"not there", "", errors.New("no such file"), failed, ""},
		{"unknown end", "something", ended(2), failed, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := judge([]byte(c.text), c.err)
			if got.what != c.what || !strings.HasSuffix(got.why, c.why) {
				t.Errorf("%v, want %s because of %s", got, c.what, c.why)
			}
		})
	}
}
