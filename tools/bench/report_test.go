package main

import (
	"strings"
	"testing"

	"github.com/deepemd/deepemd/internal/kernel"
)

func TestReportIsOneLineOfOurTimes(t *testing.T) {
	got := report(map[string][]row{
		"native": {
			{What: "84 px", Ours: 12.345, Unit: "ms", Peer: "A", Theirs: 20},
			{What: "84 px", Ours: 12.345, Unit: "ms", Peer: "B", Theirs: 30},
		},
		"emd":  {{What: "n = 25", Ours: 2, Unit: "ms"}},
		"live": {{What: "answers", Ours: 9, Unit: "a second"}},
	})
	if !strings.HasSuffix(got, ", kernels "+kernel.Name()+": native 84 px = 12.35 ms; emd n = 25 = 2.00 ms") || strings.Contains(got, "\n") {
		t.Errorf("report %q", got)
	}
	if got := report(map[string][]row{"live": {{What: "answers", Ours: 9, Unit: "a second"}}}); got != "" {
		t.Errorf("of a browser's times alone: %q", got)
	}
}
