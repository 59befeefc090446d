package training

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"

	"github.com/deepemd/deepemd/internal/cluster"
	"github.com/deepemd/deepemd/trainer/data"
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
	all, err := cluster.AllGather(g, lines)
	if err != nil {
		return err
	}
	for rank, its := range all {
		for i := range max(len(its), len(lines)) {
			if a, b := at(all[0], i), at(its, i); a != b {
				return fmt.Errorf("the ranks have different settings: rank 0 %s, rank %d %s: start all with the same command, recipe and --set", a, rank, b)
			}
		}
	}
	return nil
}

// at returns a quoted line.
func at(lines []string, i int) string {
	if i >= len(lines) {
		return "nothing"
	}
	return fmt.Sprintf("%q", strings.TrimSpace(lines[i]))
}

// samePictures returns an error on all ranks if a rank has different training images than rank 0,
// by name.
func samePictures(g cluster.Group, set *data.Set, classes []string) error {
	if g.Size() == 1 {
		return nil
	}
	type listing struct {
		Classes, Pictures int
		Digest            string
	}
	digest := sha256.New()
	mine := listing{Classes: len(classes)}
	for _, class := range slices.Concat(classes, []string{data.Unlabeled}) {
		_, _ = io.WriteString(digest, fmt.Sprintf("%q:", class))
		for _, p := range set.Pictures(class) {
			mine.Pictures++
			_, _ = io.WriteString(digest, fmt.Sprintf("%q ", p.Name))
		}
	}
	mine.Digest = hex.EncodeToString(digest.Sum(nil))
	all, err := cluster.AllGather(g, mine)
	if err != nil {
		return err
	}
	for rank, its := range all {
		if its != all[0] {
			return fmt.Errorf("rank %d has different training images than rank 0, %d of %d classes and %d of %d, or other files: give all ranks copies of the same data and split",
				rank, its.Pictures, its.Classes, all[0].Pictures, all[0].Classes)
		}
	}
	return nil
}
