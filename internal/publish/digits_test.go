package publish

import (
	"bytes"
	"encoding/json"
	"math/big"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/internal/require"
)

// bytesOf decodes digits with big integers.
func bytesOf(t *testing.T, text string) (data []byte) {
	t.Helper()
	for text != "" {
		group := text[:min(5, len(text))]
		text = text[len(group):]
		value := new(big.Int)
		for _, d := range group + "~~~~~"[len(group):] {
			at := strings.IndexRune(digits, d)
			if at < 0 {
				t.Fatalf("%q is no digit", d)
			}
			value.Add(value.Mul(value, big.NewInt(85)), big.NewInt(int64(at)))
		}
		var four [4]byte
		value.FillBytes(four[:])
		data = append(data, four[:len(group)-1]...)
	}
	return data
}

// The page's script writes the digits that the command writes, and reads them.
func TestDigits(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	type text struct{ Bytes, Digits string }
	var texts []text
	cases := [][]byte{{}, {0}, {255}, {255, 255}, {255, 255, 255}, {255, 255, 255, 255}, {0, 0, 0, 0, 1}}
	for n := range 12 {
		data := make([]byte, 100*n+n)
		for i := range data {
			data[i] = byte(random.Uint32())
		}
		cases = append(cases, data)
	}
	for _, data := range cases {
		written := string(appendDigits(nil, data))
		if got := bytesOf(t, written); !bytes.Equal(got, data) {
			t.Errorf("%v becomes %q, which reads %v", data, written, got)
		}
		plain := make([]rune, len(data))
		for i, b := range data {
			plain[i] = rune(b)
		}
		texts = append(texts, text{string(plain), written})
	}
	if strings.ContainsAny(digits, "<>&\"'`\\{} ") || len(digits) != 85 {
		t.Errorf("digits %q mean something in HTML, or are not 85", digits)
	}

	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("no node to run digits.js:", err)
	}
	script, err := os.ReadFile("../../web/static/web/digits.js")
	require.NoError(t, err)
	table, err := json.Marshal(texts)
	require.NoError(t, err)
	const program = `
		const [script, table] = process.argv.slice(1);
		const { encode, decode } = await import("data:text/javascript," + encodeURIComponent(script));
		for (const { Bytes, Digits } of JSON.parse(table)) {
			const bytes = Uint8Array.from(Bytes, (c) => c.charCodeAt(0));
			const digits = new TextDecoder().decode(encode(bytes));
			if (digits !== Digits) throw new Error("digits " + digits + ", want " + Digits);
			if (String(decode(digits)) !== String(bytes)) throw new Error("read " + decode(digits) + ", want " + bytes);
		}`
	if out, err := exec.Command(node, "--input-type=module", "--eval", program, string(script), string(table)).CombinedOutput(); err != nil {
		t.Errorf("digits.js: %v: %s", err, out)
	}
}
