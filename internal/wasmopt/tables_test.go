package wasmopt

import (
	"bytes"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/internal/bombs"
	"github.com/deepemd/deepemd/internal/require"
)

func TestTablesRefuse(t *testing.T) {
	whole := build(t, "GOOS=js", "GOARCH=wasm")
	sections := require.Value(split(whole))(t)
	memory := require.Value(dataMemory(sections))(t)
	at := bytes.Index(memory, tableHead)
	other := bytes.Clone(memory)
	other[at]++ // the magic number of another version
	longer := bytes.Clone(memory)
	longer[at+8]++ // one function too many
	for name, bad := range map[string][]byte{
		"no module":         []byte("MZ"),
		"an empty one":      whole[:8],
		"one cut short":     whole[:len(whole)/2],
		"another toolchain": joined(sections, other),
		"a wrong count":     joined(sections, longer),
	} {
		if _, err := Optimize(bad, Options{}); err == nil || !strings.HasPrefix(err.Error(), "wasmopt: ") {
			t.Errorf("%s: %v, want an error", name, err)
		}
	}
}

// FuzzTables: arbitrary bytes give an error, never a panic.
func FuzzTables(f *testing.F) {
	sections := require.Value(split(build(f, "GOOS=js", "GOARCH=wasm")))(f)
	memory := require.Value(dataMemory(sections))(f)
	at := bytes.Index(memory, tableHead)
	f.Add(memory[at:at+4000], uint16(20), byte(1))
	f.Add(memory[at:], uint16(100), byte(0xff))
	f.Fuzz(func(t *testing.T, memory []byte, place uint16, value byte) {
		memory = bytes.Clone(memory)
		if int(place) < len(memory) {
			memory[place] = value
		}
		bombs.Budget(t, 4<<20, 64, len(memory), func() {
			if tables, err := find(memory); err == nil {
				if err := tables.forgetLines(); err != nil {
					t.Log(err)
				}
			}
		})
	})
}
