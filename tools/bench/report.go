package main

import (
	"fmt"
	"runtime"
	"strings"

	"github.com/deepemd/deepemd/core"
	"github.com/deepemd/deepemd/internal/kernel"
)

// report is one line for a machine that no one here has: what it is, and our times in the
// sections that measure the processor alone.
func report(measured map[string][]row) string {
	var times []string
	for _, s := range sections {
		if !s.processor {
			continue
		}
		last := ""
		for _, r := range measured[s.name] {
			if r.What != last { // a row for each peer
				times = append(times, fmt.Sprintf("%s %s = %.2f %s", s.name, r.What, r.Ours, r.Unit))
			}
			last = r.What
		}
	}
	if len(times) == 0 {
		return ""
	}
	return fmt.Sprintf("deepemd %s, %s, %s %s, kernels %s: %s", core.Version, runtime.Version(),
		runtime.GOOS, processor(), kernel.Name(), strings.Join(times, "; "))
}
