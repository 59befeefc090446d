// Package publish makes what leaves the server: the page that a project is shared as, and a
// site for any file server or content network, with the service worker that keeps the studio
// on a device.
//
// A shared page is one HTML file with engine, weights and project in it, which runs from
// wherever it lies. The folder holds its source; the build makes a template of it, and [Page]
// fills that in, as web/static/web/share.js does in the studio. An exported site is a folder of
// plain files that works under any path, with weights cut into pieces for hosts that limit the
// size of files, and with a description of its headers and compression for the host.
package publish

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/idna"

	"github.com/deepemd/deepemd/core/imaging"
	"github.com/deepemd/deepemd/core/project"
	"github.com/deepemd/deepemd/core/project/archive"
	"github.com/deepemd/deepemd/internal/languages"
)

// Template is where a built site has the template of shared pages.
const Template = "share/player.html"

// Engine is where a built site has the program that shared pages run.
const Engine = "deepemd/deepemd.wasm"

// Languages are the languages that a shared page speaks.
var Languages = languages.Codes(languages.Files)

// ErrTemplate says that a file is no template of shared pages.
var ErrTemplate = errors.New("not a template of shared pages")

// Contents are what a shared page is made of.
type Contents struct {
	// Title stands in the page's tab until the project has been read.
	Title string
	// Language is the page's, one of Languages; "" has it follow the reader's browser.
	Language string
	// Parents are the origins, such as https://example.org, of the pages that may ask
	// this one questions when they show it in an iframe. With none, every page may.
	Parents []string
	// Engine, Weights and Project are the contents of the three files.
	Engine, Weights, Project []byte
}

// Page fills a template in. The same contents give the same page.
//
// # Errors
//
// It returns an error that wraps ErrTemplate if the template lacks a place for something,
// and others for a language that the page does not speak and for a parent that is no
// origin.
func Page(template []byte, c Contents) ([]byte, error) {
	if c.Language != "" && !slices.Contains(Languages, c.Language) {
		return nil, fmt.Errorf("a shared page does not speak %q: choose one of %s", c.Language, strings.Join(Languages, ", "))
	}
	parents := make([]string, len(c.Parents))
	for i, parent := range c.Parents {
		var err error
		if parents[i], err = originOf(parent); err != nil {
			return nil, err
		}
	}
	var parts bytes.Buffer
	for _, p := range []struct {
		id      string
		content []byte
	}{{"engine", c.Engine}, {"weights", c.Weights}, {"project", c.Project}} {
		if err := writePart(&parts, p.id, p.content); err != nil {
			return nil, err
		}
	}
	var fill []string
	for _, place := range []struct{ name, text string }{
		{"{{title}}", escape(c.Title)},
		{"{{language}}", c.Language},
		{"{{parents}}", escape(strings.Join(parents, " "))},
		{"{{parts}}", parts.String()},
	} {
		if !bytes.Contains(template, []byte(place.name)) {
			return nil, fmt.Errorf("%w: it lacks %s: is the site of this version? `make build` builds it", ErrTemplate, place.name)
		}
		fill = append(fill, place.name, place.text)
	}
	return []byte(strings.NewReplacer(fill...).Replace(string(template))), nil
}

// writePart writes one part of a page: the digits of gzip, or of the content itself where
// that is smaller.
func writePart(w *bytes.Buffer, id string, content []byte) error {
	var packed bytes.Buffer
	z, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	if err != nil {
		return err
	}
	if _, err := z.Write(content); err != nil {
		return err
	}
	if err := z.Close(); err != nil {
		return err
	}
	how := ` data-packed="gzip"`
	if packed.Len() < len(content) {
		content = packed.Bytes()
	} else {
		how = ""
	}
	fmt.Fprintf(w, "<script type=\"text/plain\" id=\"part-%s\"%s>%s</script>\n", id, how, appendDigits(nil, content))
	return nil
}

// originOf returns an origin of the web as browsers send it: in small letters, names in ASCII, without
// the port that goes without saying.
func originOf(text string) (string, error) {
	u, err := url.Parse(text)
	plain := err == nil && u.User == nil && u.RawQuery == "" && u.Fragment == "" && (u.Path == "" || u.Path == "/")
	if !plain || u.Scheme != "https" && u.Scheme != "http" {
		return "", fmt.Errorf("%q is not the origin of a page: give scheme and host alone, such as https://example.org", text)
	}
	host, err := hostOf(u.Hostname())
	if err != nil {
		return "", fmt.Errorf("%q is not the origin of a page: %w", text, err)
	}
	if u.Port() == "" {
		return u.Scheme + "://" + host, nil
	}
	port, err := strconv.ParseUint(u.Port(), 10, 16)
	if err != nil {
		return "", fmt.Errorf("%q is not the origin of a page: ports are numbers up to 65535", text)
	}
	if port == map[string]uint64{"http": 80, "https": 443}[u.Scheme] {
		return u.Scheme + "://" + host, nil
	}
	return fmt.Sprintf("%s://%s:%d", u.Scheme, host, port), nil
}

// hostOf returns a host as browsers write it.
func hostOf(name string) (string, error) {
	if address, err := netip.ParseAddr(name); err == nil {
		if address.Zone() != "" {
			return "", errors.New("browsers know no zones of addresses")
		}
		if address.Is6() {
			return "[" + address.String() + "]", nil
		}
		return address.String(), nil
	}
	ascii, err := idna.Lookup.ToASCII(name)
	if err != nil {
		return "", err
	}
	// Browsers take a last part that is a number for an address in another form.
	last := ascii[strings.LastIndexByte(ascii, '.')+1:]
	if _, err := strconv.ParseUint(last, 0, 64); err == nil || ascii == "" {
		return "", fmt.Errorf("%q is no name of a host, nor an address such as 127.0.0.1", name)
	}
	return ascii, nil
}

// escape writes text so that it stands for itself in a page, in and outside of quotes.
func escape(text string) string { return escapes.Replace(text) }

var escapes = strings.NewReplacer("&", "&#38;", "<", "&#60;", ">", "&#62;", `"`, "&#34;")

// digits are those of base 85, which mean nothing in HTML: the same as in
// web/static/web/digits.js.
const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%()*+,-./:;=?@[]^_|~"

// appendDigits appends bytes as text to a page: four of them as five digits, a quarter more
// where base64 takes a third. Of fewer bytes at the end there is one digit more.
func appendDigits(text, data []byte) []byte {
	for len(data) > 0 {
		n := min(4, len(data))
		var value uint32
		for i := range 4 {
			value <<= 8
			if i < n {
				value |= uint32(data[i])
			}
		}
		var group [5]byte
		for i := 4; i >= 0; i-- {
			group[i] = digits[value%85]
			value /= 85
		}
		text = append(text, group[:n+1]...)
		data = data[n:]
	}
	return text
}

// Brief is the number of examples up to which a page holds no embeddings, which would
// take most of the file: it embeds the pictures when it opens. The same number as in
// web/static/web/share.js.
const Brief = 120

// Project returns a project file as a page holds it: that of Brief examples or fewer
// without its embeddings.
//
// # Errors
//
// Those of archive.Read, File.Picture and archive.Write.
func Project(file []byte) ([]byte, error) {
	p, err := archive.Read(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		return nil, err
	}
	var examples []project.Example
	for _, c := range p.Manifest.Classes {
		examples = append(examples, c.Examples...)
	}
	if len(examples) > Brief {
		return file, nil
	}
	var brief bytes.Buffer
	manifest := p.Manifest
	err = archive.Write(&brief, &manifest, archive.Contents{
		Picture: func(i int) (*imaging.Image, error) { return p.Picture(examples[i]) },
	})
	if err != nil {
		return nil, fmt.Errorf("the project without its embeddings: %w", err)
	}
	return brief.Bytes(), nil
}
