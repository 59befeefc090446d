package verb

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path"
	"slices"

	"github.com/spf13/pflag"

	"github.com/deepemd/deepemd/internal/atomicfile"
	"github.com/deepemd/deepemd/internal/filekind"
	"github.com/deepemd/deepemd/internal/namedfile"
)

// Output guards the file that a verb writes.
type Output struct{ force bool }

// Register adds the flag --force.
func (o *Output) Register(f *pflag.FlagSet) {
	f.BoolVar(&o.force, "force", false, "overwrite a file of another kind, or an input")
}

// Begins returns a function that compares the first bytes of a file, after white space.
func Begins(texts ...string) func(head []byte) bool {
	return func(head []byte) bool {
		head = bytes.TrimLeft(head, " \t\r\n")
		return slices.ContainsFunc(texts, func(text string) bool { return bytes.HasPrefix(head, []byte(text)) })
	}
}

// BeginsZip returns a function that compares the name of a zip archive's first entry with patterns
// of [path.Match].
func BeginsZip(patterns ...string) func(head []byte) bool {
	return func(head []byte) bool {
		const length, name = 26, 30 // offsets in the header of an entry
		if len(head) < name || !bytes.HasPrefix(head, []byte("PK\x03\x04")) {
			return false
		}
		first := head[name:]
		first = first[:min(len(first), int(binary.LittleEndian.Uint16(head[length:])))]
		return slices.ContainsFunc(patterns, func(pattern string) bool {
			matches, err := path.Match(pattern, string(first))
			return err == nil && matches
		})
	}
}

// Check returns an error if path cannot be written, is one of the inputs or an existing file of another
// kind. The function writes recognizes the kind of the output from the first 512 bytes of a file. --force allows
// inputs and other kinds; an empty file has no kind. Check accepts an empty path: there is no output.
func (o *Output) Check(path string, inputs []string, writes func(head []byte) bool) error {
	if path == "" {
		return nil
	}
	if path == "-" && !o.force {
		return errors.New("-: the output is a file, not the standard output: name one")
	}
	if err := atomicfile.Check(path); err != nil {
		return err
	}
	info, err := os.Stat(path)
	if err != nil || o.force {
		return nil
	}
	for _, input := range inputs {
		if other, err := os.Stat(input); err == nil && os.SameFile(info, other) {
			return fmt.Errorf("%s: the output would overwrite an input: name another file, or give --force", path)
		}
	}
	head := namedfile.Head(path, 512)
	if len(head) == 0 || writes(head) {
		return nil
	}
	what, _ := filekind.Of(bytes.TrimSpace(head))
	return fmt.Errorf("%s: the output would overwrite %s: name another file, or give --force", path, cmp.Or(what, "something else"))
}
