package verb

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/spf13/pflag"

	"github.com/deepemd/deepemd/internal/filekind"
)

// Output is where a verb writes a file.
type Output struct{ force bool }

// Register adds the flag --force.
func (o *Output) Register(f *pflag.FlagSet) {
	f.BoolVar(&o.force, "force", false, "write over a file of another kind, or over what was read")
}

// Begins returns what tells files by their first bytes, but for white space.
func Begins(texts ...string) func(head []byte) bool {
	return func(head []byte) bool {
		head = bytes.TrimLeft(head, " \t\r\n")
		return slices.ContainsFunc(texts, func(text string) bool { return bytes.HasPrefix(head, []byte(text)) })
	}
}

// Check returns an error, unless --force is given, for a path that is one of the files that the verb
// reads, or that holds something else than what it writes, which is asked about the first 64 bytes.
// An empty file holds nothing.
func (o *Output) Check(path string, inputs []string, writes func(head []byte) bool) error {
	info, err := os.Stat(path)
	if err != nil || o.force || !info.Mode().IsRegular() {
		return nil // writing says what is wrong with it
	}
	for _, input := range inputs {
		if other, err := os.Stat(input); err == nil && os.SameFile(info, other) {
			return fmt.Errorf("%s: it would be written over what is read from it: name another file, or give --force", path)
		}
	}
	file, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer file.Close()
	head := make([]byte, 64)
	n, _ := io.ReadFull(file, head)
	if head = head[:n]; n == 0 || writes(head) {
		return nil
	}
	what, _ := filekind.Of(bytes.TrimSpace(head))
	if what == "" {
		what = "something else"
	}
	return fmt.Errorf("%s: it holds %s, which would be lost: name another file, or give --force", path, what)
}
