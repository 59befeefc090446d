package web

import (
	"testing"

	"github.com/deepemd/deepemd/internal/nodetest"
)

// FuzzNetworkHeader passes any bytes to the studio as a network file: it is described, or rejected
// with a code that has a text.
func FuzzNetworkHeader(f *testing.F) {
	page := nodetest.Start(f, `
		const { describe } = await import(ROOT + "web/static/web/network.js");
		async function answer({ file }) { return describe(new Blob([Buffer.from(file, "base64")])); }`)
	for _, text := range []string{
		"\x02\x00\x00\x00\x00\x00\x00\x00{}", "\x04\x00\x00\x00\x00\x00\x00\x00null", "\x02\x00\x00\x00\x00\x00\x00\x00[]", "\x01\x00\x00\x00\x00\x00\x00\x003",
		"\x31\x00\x00\x00\x00\x00\x00\x00{\"__metadata__\":{\"name\":3},\"a\":{\"data_offsets\":0}}", "\x1f\x00\x00\x00\x00\x00\x00\x00{\"a\":{\"data_offsets\":[0,9e99]}}",
		"\x12\x00\x00\x00\x00\x00\x00\x00{\"a\":null,\"b\":null}", "\xff\xff\xff\xff\xff\xff\xff\xff", "\x00\x00\x00\x00\x00\x00\x00\x00", "<!doctype html>", "", "\x02",
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, file []byte) {
		var got struct {
			Name, Arch string
			Bytes      int
		}
		err := page.Ask(t, map[string][]byte{"file": file}, &got)
		switch {
		case err != nil && err.Code != "bad-weights" && err.Code != "cut-weights":
			t.Errorf("%s %s: %s", err.Name, err.Code, err.Stack)
		case err == nil && got.Bytes != len(file):
			t.Errorf("%d bytes of %d", got.Bytes, len(file))
		}
	})
}
