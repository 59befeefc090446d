// Package publish generates the output that leaves the server: the page of a shared project, and a
// site for any file server or content network, with the service worker that keeps the studio on a
// device.
//
// A shared page is one HTML file with engine, weights and project, which runs from any location.
// The folder holds its source, which the build converts to a template. [Page] fills in the
// template, like web/static/web/share.js in the studio. An exported site is a folder of plain files
// that works under any path. Weights are split for hosts that limit file sizes, and a description
// of headers and compression is included.
package publish

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
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

// Template is the path of the template of shared pages in a built site.
const Template = "share/player.html"

// Beginning is the beginning of every shared page.
const Beginning = "<!DOCTYPE html>\n<html lang=\"en\" data-language="

// Engine returns the path of the program of shared pages in a built site. kind is project.KindImage or
// project.KindSound.
func Engine(kind string) string {
	if kind == project.KindSound {
		return "deepemd/deepemd-sound.wasm"
	}
	return "deepemd/deepemd.wasm"
}

// Languages are the languages of shared pages.
var Languages = languages.Codes(languages.Files)

// ErrTemplate reports a file that is not a template of shared pages.
var ErrTemplate = errors.New("not a template of shared pages")

// Contents are the contents of a shared page.
type Contents struct {
	// Title is shown in the tab until the project has been read.
	Title string
	// Language is one of Languages; "" follows the reader's browser.
	Language string
	// Parents are the origins, such as https://example.org, of pages that may query this one in an
	// iframe. If empty, every page may.
	Parents []string
	// Engine, Weights and Project are the contents of the files.
	Engine, Weights, Project []byte
}

// Page fills in a template. The result is deterministic.
//
// # Errors
//
// ErrTemplate if the template lacks a placeholder; an unsupported language; a parent that is not an
// origin.
func Page(template []byte, c Contents) ([]byte, error) {
	if c.Language != "" && !slices.Contains(Languages, c.Language) {
		return nil, fmt.Errorf("shared pages do not support the language %q: choose one of %s", c.Language, strings.Join(Languages, ", "))
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
		writePart(&parts, p.id, p.content)
	}
	var fill []string
	for _, place := range []struct{ name, text string }{
		{"{{title}}", escapes.Replace(c.Title)},
		{"{{language}}", c.Language},
		{"{{parents}}", escapes.Replace(strings.Join(parents, " "))},
		{"{{parts}}", parts.String()},
	} {
		if !bytes.Contains(template, []byte(place.name)) {
			return nil, fmt.Errorf("%w: it lacks %s: was the site built with this version? Run `make build`", ErrTemplate, place.name)
		}
		fill = append(fill, place.name, place.text)
	}
	return []byte(strings.NewReplacer(fill...).Replace(string(template))), nil
}

// writePart writes one part of a page: the digits of its gzip, or of the content if that is
// smaller.
func writePart(w *bytes.Buffer, id string, content []byte) {
	var packed bytes.Buffer
	z, _ := gzip.NewWriterLevel(&packed, gzip.BestCompression) // a valid level
	_, _ = z.Write(content)                                    // a bytes.Buffer returns no errors
	_ = z.Close()
	how := ""
	if packed.Len() < len(content) {
		how, content = ` data-packed="gzip"`, packed.Bytes()
	}
	fmt.Fprintf(w, "<script type=\"text/plain\" id=\"part-%s\"%s>%s</script>\n", id, how, digitsOf(content))
}

// originOf returns a web origin in the form of browsers: lower case, ASCII, without the default
// port.
func originOf(text string) (string, error) {
	u, err := url.Parse(text)
	plain := err == nil && u.User == nil && u.RawQuery == "" && u.Fragment == "" && (u.Path == "" || u.Path == "/")
	if !plain || u.Scheme != "https" && u.Scheme != "http" {
		return "", fmt.Errorf("%q is not an origin: give only scheme and host, such as https://example.org", text)
	}
	host, err := hostOf(u.Hostname())
	if err != nil {
		return "", fmt.Errorf("%q is not an origin: %w", text, err)
	}
	if u.Port() == "" {
		return u.Scheme + "://" + host, nil
	}
	port, err := strconv.ParseUint(u.Port(), 10, 16)
	if err != nil {
		return "", fmt.Errorf("%q is not an origin: ports are numbers up to 65535", text)
	}
	if port == map[string]uint64{"http": 80, "https": 443}[u.Scheme] {
		return u.Scheme + "://" + host, nil
	}
	return fmt.Sprintf("%s://%s:%d", u.Scheme, host, port), nil
}

// hostOf returns a host in the form of browsers.
func hostOf(name string) (string, error) {
	if address, err := netip.ParseAddr(name); err == nil {
		if address.Zone() != "" {
			return "", errors.New("browsers do not support address zones")
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
	// Browsers treat a name as an address if its last part is a number, even an invalid one such as 08.
	full := strings.TrimSuffix(ascii, ".")
	last := full[strings.LastIndexByte(full, '.')+1:]
	if _, err := strconv.ParseUint(last, 0, 64); err == nil || strings.Trim(last, "0123456789") == "" {
		return "", fmt.Errorf("%q is neither a host name nor an address such as 127.0.0.1", name)
	}
	return ascii, nil
}

var escapes = strings.NewReplacer("&", "&#38;", "<", "&#60;", ">", "&#62;", `"`, "&#34;")

// digits are base 85 digits without a meaning in HTML: the same as in web/static/web/digits.js.
const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%()*+,-./:;=?@[]^_|~"

// digitsOf returns bytes as text: four bytes as five digits, 25% more where base64 takes 33%. A
// remainder has one digit more than bytes.
func digitsOf(data []byte) (text []byte) {
	for part := range slices.Chunk(data, 4) {
		var four [4]byte
		copy(four[:], part)
		value := binary.BigEndian.Uint32(four[:])
		var group [5]byte
		for i := 4; i >= 0; i-- {
			group[i] = digits[value%85]
			value /= 85
		}
		text = append(text, group[:len(part)+1]...)
	}
	return text
}

// Brief is the maximum number of examples for which a page omits embeddings, which would take most
// of the file: it computes them when it opens. web/static/web/share.js has the same number.
const Brief = 120

// Project returns a project file as stored in a page, without embeddings for up to Brief examples.
// It returns the errors of archive.Read, File.Picture and archive.Write.
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
