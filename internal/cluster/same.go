package cluster

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
)

// Same returns an error, on all ranks, that names the first difference if a rank has other lines than
// rank 0. what is the plural of the things that the lines describe.
func Same(g Group, what string, lines ...string) error {
	all, err := AllGather(g, lines)
	if err != nil {
		return err
	}
	for rank, its := range all {
		for i := range max(len(its), len(all[0])) {
			if a, b := at(all[0], i), at(its, i); a != b {
				return fmt.Errorf("the ranks have different %s: rank 0 %s, rank %d %s: %s, and give them copies of the same files", what, a, rank, b, startTogether)
			}
		}
	}
	return nil
}

// startTogether is the remedy for ranks that do different things.
const startTogether = "start all ranks with the same command"

// at returns a quoted line.
func at(lines []string, i int) string {
	if i >= len(lines) {
		return "nothing"
	}
	return fmt.Sprintf("%q", strings.TrimSpace(lines[i]))
}

// Digest returns a line that identifies a value without pointers.
func Digest(value any) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%#v", value))
	return "digest " + hex.EncodeToString(sum[:6])
}
