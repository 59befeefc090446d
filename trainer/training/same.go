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

// settingsText returns settings as TOML. It returns an error for a path that is not UTF-8: neither the
// settings of a run, which resuming reads, nor a network's metadata can state it.
func settingsText(settings any) (string, error) {
	var text bytes.Buffer
	if err := toml.NewEncoder(&text).Encode(settings); err != nil {
		return "", err
	}
	for line := range strings.Lines(text.String()) {
		if name, value, _ := strings.Cut(strings.TrimSpace(line), " = "); !utf8.ValidString(value) {
			return "", fmt.Errorf("%s is %q, which is not UTF-8: rename the file or folder", name, strings.Trim(value, `"`))
		}
	}
	return text.String(), nil
}

// sameSettings returns an error on all ranks if a rank has different settings than rank 0.
func sameSettings(g cluster.Group, settings any) error {
	text, err := settingsText(settings)
	if err != nil || g.Size() == 1 {
		return err
	}
	lines := slices.DeleteFunc(strings.Split(text, "\n"), func(line string) bool {
		name, _, _ := strings.Cut(line, " =")
		return slices.Contains(machines, strings.TrimSpace(name))
	})
	return cluster.Same(g, "settings", lines...)
}
