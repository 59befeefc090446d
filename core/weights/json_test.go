package weights

import (
	"encoding/json"
	"reflect"
	"slices"
	"testing"
	"unicode/utf8"

	"github.com/deepemd/deepemd/internal/bombs"
	"github.com/deepemd/deepemd/internal/require"
)

func TestScannerStrings(t *testing.T) {
	for _, text := range []string{
		`""`, `"plain"`, `"a\"b\\c\/d\b\f\n\r\t"`, `"\u00e9\u20ac"`, `"\ud83d\ude00"`, `"é€😀"`,
		`"\ud83d"`, `"\ud83dx"`, `"\ud83d\n"`, `"\ude00\ud83d"`, `"\ud83d\ud83d\ude00"`, "\"\x7f\"",
		`"\ud83dxude00"`, `"\ud83d\tde00"`, `"\u0041\ude00"`,
	} {
		var want string
		require.NoError(t, json.Unmarshal([]byte(text), &want))
		s := scanner{text: []byte(text)}
		if got, err := s.string(); err != nil || got != want || s.at != len(text) {
			t.Errorf("%s: %q, %v, want %q", text, got, err, want)
		}
	}
	for _, text := range []string{``, `"`, `"a`, `"\`, `"\x"`, `"\u12"`, `"\u12`, `"\ud83d\u`, `"\u12g4"`, "\"\n\"", "\"\xff\"", `'a'`} {
		s := scanner{text: slices.Clip([]byte(text))}
		if got, err := s.string(); err == nil {
			t.Errorf("%q was read as %q", text, got)
		}
	}
}

// encoding/json parses all accepted text equally.
func FuzzParseHeader(f *testing.F) {
	f.Add([]byte(`{"__metadata__":{"k\n":"v\ud83d\ude00"}, "a":{"dtype":"F32","shape":[2, 3],"data_offsets":[0,24]}}`))
	f.Add([]byte(`{"a":{"shape":[],"data_offsets":[4,8],"dtype":"F16"},"":{"shape":[0],"data_offsets":[4,4],"dtype":"F16"}} `))
	f.Fuzz(func(t *testing.T, header []byte) {
		var entries []entry
		var metadata map[string]string
		var err error
		bombs.Budget(t, 1<<20, 512, len(header), func() { entries, metadata, err = parseHeader(header) })
		if err != nil {
			return
		}
		var want map[string]json.RawMessage
		if err := json.Unmarshal(header, &want); err != nil {
			t.Fatalf("accepted what is no JSON: %v", err)
		}
		if raw, ok := want[metadataKey]; ok {
			var m map[string]string
			if err := json.Unmarshal(raw, &m); err != nil || !reflect.DeepEqual(m, metadata) {
				t.Fatalf("metadata %q, want %q, %v", metadata, m, err)
			}
			delete(want, metadataKey)
		}
		if len(entries) != len(want) {
			t.Fatalf("%d tensors, want %d", len(entries), len(want))
		}
		for _, e := range entries {
			var w struct {
				DType   string `json:"dtype"`
				Shape   []int  `json:"shape"`
				Offsets []int  `json:"data_offsets"`
			}
			require.NoError(t, json.Unmarshal(want[e.name], &w))
			if e.dtype != w.DType || !reflect.DeepEqual(e.shape, w.Shape) || !reflect.DeepEqual([]int{e.begin, e.end}, w.Offsets) {
				t.Fatalf("tensor %+v, want %+v", e, w)
			}
		}
	})
}

// encoding/json and the scanner parse the output of quote.
func FuzzQuote(f *testing.F) {
	f.Add("plain")
	f.Add("\"quoted\\\" \x00\n\x1f <&> é€😀\u2028")
	f.Fuzz(func(t *testing.T, text string) {
		if !utf8.ValidString(text) {
			return
		}
		var written []byte
		bombs.Budget(t, 1<<20, 64, len(text), func() { written = []byte(quote(text)) })
		var got string
		if err := json.Unmarshal(written, &got); err != nil || got != text {
			t.Errorf("%q was written as %s and read as %q, %v", text, written, got, err)
		}
		s := scanner{text: written}
		if got, err := s.string(); err != nil || got != text {
			t.Errorf("%q was written as %s and scanned as %q, %v", text, written, got, err)
		}
	})
}

// Lists of strings agree with encoding/json.
func TestTexts(t *testing.T) {
	for _, texts := range [][]string{nil, {""}, {"cup", "pen"}, {`"quoted"`, "<tag> & more", "a\\b\n\x00", "é€😀", "\u2028", "\xff"}} {
		var read []string
		if err := json.Unmarshal([]byte(formatTexts(texts)), &read); err != nil || len(read) != len(texts) {
			t.Errorf("%q is written as %s: %v", texts, formatTexts(texts), err)
		}
		written := require.Value(json.Marshal(texts))(t)
		if texts == nil {
			written = []byte(" [ ] ")
		}
		got, err := parseTexts(string(written))
		if err != nil || !reflect.DeepEqual(got, read) && len(got)+len(read) > 0 {
			t.Errorf("%s is read as %q, %v; want %q", written, got, err, read)
		}
	}
	for _, text := range []string{"", "null", "3", `"a"`, `["a"`, `["a",]`, `["a"] b`, `[3]`, `{"a": "b"}`} {
		if texts, err := parseTexts(text); err == nil {
			t.Errorf("%s is read as %q", text, texts)
		}
	}
}
