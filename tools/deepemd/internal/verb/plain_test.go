package verb

import (
	"bytes"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/deepemd/deepemd/internal/require"
)

func TestPlain(t *testing.T) {
	for text, want := range map[string]string{
		"café\tü\n":              "café\tü\n",
		"a\x1b[2Jb\rc\x07":       `a\u001b[2Jb\u000dc\u0007`,
		"gpj\u202eexe \u2066x\n": `gpj\u202eexe \u2066x` + "\n",
		"\u009b31m":              `\u009b31m`,
		"\xff\xc3(\n":            `\xff\xc3(` + "\n",
	} {
		var all, single bytes.Buffer
		fmt.Fprint(Plain(&all), text)
		w := Plain(&single)
		for i := range len(text) { // a letter may come in pieces
			require.Value(w.Write([]byte{text[i]}))(t)
		}
		if all.String() != want || single.String() != want {
			t.Errorf("%q: %q, in pieces %q, want %q", text, all.String(), single.String(), want)
		}
	}
}

// JSON keeps names unchanged.
func TestPlainKeepsJSON(t *testing.T) {
	name := "a\x1b[2J\r\n\u202e\u009b"
	var out bytes.Buffer
	require.NoError(t, Print(Plain(&out), true, name, nil))
	var got string
	require.NoError(t, json.Unmarshal(out.Bytes(), &got))
	if got != name || bytes.ContainsAny(out.Bytes(), "\x1b\r\u202e\u009b") {
		t.Errorf("%q is %q, want %q", out.String(), got, name)
	}
}
