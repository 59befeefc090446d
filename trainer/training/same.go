package training

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/BurntSushi/toml"

	"github.com/deepemd/deepemd/internal/cluster"
)

// machines are settings that may differ between ranks: paths and the number of cores.
var machines = []string{"data", "more", "unlabeled", "split", "init", "teacher", "threads", "device"}

// sameSettings returns an error on all ranks if a rank has different settings than rank 0. It also returns
// an error for a path that is not UTF-8: neither the settings of a run, which resuming reads, nor a
// network's metadata can state it.
func sameSettings(g cluster.Group, settings any) error {
	var text bytes.Buffer
	if err := toml.NewEncoder(&text).Encode(settings); err != nil {
		return err
	}
	var common []string
	for line := range strings.Lines(text.String()) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), " = ")
		if !utf8.ValidString(value) {
			return fmt.Errorf("%s is %q, which is not UTF-8: rename the file or folder", name, strings.Trim(value, `"`))
		}
		if !slices.Contains(machines, name) {
			common = append(common, line)
		}
	}
	return cluster.Same(g, "settings", common...)
}
