package training

import (
	"bytes"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"

	"github.com/deepemd/deepemd/internal/cluster"
)

// machines are settings that may differ between ranks: paths and the number of cores.
var machines = []string{"data", "more", "unlabeled", "split", "init", "teacher", "threads", "device"}

// sameSettings returns an error on all ranks if a rank has different settings than rank 0.
func sameSettings(g cluster.Group, settings any) error {
	if g.Size() == 1 {
		return nil
	}
	var text bytes.Buffer
	if err := toml.NewEncoder(&text).Encode(settings); err != nil {
		return err
	}
	lines := slices.DeleteFunc(strings.Split(text.String(), "\n"), func(line string) bool {
		name, _, _ := strings.Cut(line, " =")
		return slices.Contains(machines, strings.TrimSpace(name))
	})
	return cluster.Same(g, "settings", lines...)
}
