package sharing

import (
	"testing"

	"github.com/deepemd/deepemd/core/network"
	"github.com/deepemd/deepemd/web/internal/kernel"
)

func TestEmbeddingCode(t *testing.T) {
	for _, c := range []struct {
		name string
		e    Embedding
		want string
	}{
		{"frame", Embedding{Name: `Cups & "pens"`, Address: " https://example.org/a/cups.html?a=1&b=2 "},
			`<iframe src="https://example.org/a/cups.html?a=1&amp;b=2" title="Cups &amp; &quot;pens&quot;"` + "\n" +
				`  allow="camera" style="width: 100%; max-width: 1080px; height: 720px; border: 0"></iframe>`},
		{"element", Embedding{Element: true, Name: "Cups", Address: "https://example.org/cups.deepemd", Program: "https://example.org/deepemd/element.js"},
			`<script type="module" src="https://example.org/deepemd/element.js"></script>` + "\n" +
				`<deep-emd camera project="https://example.org/cups.deepemd"></deep-emd>`},
		{"sounds", Embedding{Element: true, Sounds: true, Address: "https://example.org/claps.deepemd", Program: "https://example.org/deepemd/element.js"},
			`<script type="module" src="https://example.org/deepemd/element.js"></script>` + "\n" +
				`<deep-emd sound project="https://example.org/claps.deepemd"></deep-emd>`},
		{"own network", Embedding{Element: true, Address: "https://example.org/a/cups.deepemd", Program: "https://example.org/deepemd/element.js", Network: "dino v2/s"},
			`<script type="module" src="https://example.org/deepemd/element.js"></script>` + "\n" +
				`<deep-emd camera project="https://example.org/a/cups.deepemd" weights="https://example.org/a/dino%20v2%20s.safetensors"></deep-emd>`},
		{"the small network", Embedding{Element: true, Address: "https://example.org/a/cups.deepemd", Program: "https://example.com/studio/deepemd/element.js", Page: network.ResNet12XS},
			`<script type="module" src="https://example.com/studio/deepemd/element.js"></script>` + "\n" +
				`<deep-emd camera project="https://example.org/a/cups.deepemd" weights="https://example.com/studio/weights/resnet12-xs.safetensors"></deep-emd>`},
	} {
		if got := c.e.Code(); got != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", c.name, got, c.want)
		}
	}
}

func TestFileNames(t *testing.T) {
	for project, want := range map[string]string{
		"Project 1": "Project 1", `a/b\c:d`: "a b c d", "..hidden": "hidden", " \t": "project", "???": "project", "Übung": "Übung", "a\x07b": "a b",
	} {
		if got := kernel.FileName(project, kernel.FormProject); got != want+".deepemd" {
			t.Errorf("%q is saved as %q, want %q", project, got, want+".deepemd")
		}
	}
	e := Embedding{Name: "100% Tee?"}
	if got, want := e.In("https://example.org/pages/"), "https://example.org/pages/100%25%20Tee.html"; got != want {
		t.Errorf("the file lies at %s, want %s", got, want)
	}
	if got := (Embedding{Element: true, Name: "Tea"}).In("/"); got != "/Tea.deepemd" {
		t.Errorf("the element's file lies at %s", got)
	}
	if got := CheckAddress(e.In("https://example.org/pages/"), kernel.FormPage.Ending()); got != AddressFine {
		t.Errorf("the guess has fault %d", got)
	}
}

func TestCheckAddress(t *testing.T) {
	for _, c := range []struct {
		address string
		want    AddressFault
	}{
		{"https://example.org/pages/cups.html", AddressFine},
		{"  https://example.org/CUPS.HTML?v=2#top ", AddressFine},
		{"", AddressPart},
		{"example.org/cups.html", AddressPart},
		{"/cups.html", AddressPart},
		{"https:///cups.html", AddressPart},
		{"https://me:secret@example.org/cups.html", AddressPart},
		{"file:///home/me/cups.html", AddressPart},
		{"javascript:alert(1)//.html", AddressPart},
		{"https://exa mple.org/cups.html", AddressPart},
		{"https://example.org/", AddressOther},
		{"https://example.org/.html", AddressOther},
		{"https://example.org/cups.deepemd", AddressOther},
		{"http://example.org/cups.html", AddressInsecure},
		{"http://localhost:8080/pages/cups.html", AddressLocal},
		{"http://127.0.0.1/cups.html", AddressLocal},
		{"http://[::1]:80/cups.html", AddressLocal},
	} {
		got := CheckAddress(c.address, ".html")
		if got != c.want {
			t.Errorf("%q has fault %d, want %d", c.address, got, c.want)
		}
		if works := c.want != AddressPart && c.want != AddressOther; got.Works() != works {
			t.Errorf("%q works: %v, want %v", c.address, got.Works(), works)
		}
	}
	if got := AddressFolder(" https://example.org/pages/cups.html"); got != "https://example.org/pages/" {
		t.Errorf("folder %q", got)
	}
}
