// Package sharing is the feature that generates code to embed a project into a page.
package sharing

import (
	"net/url"
	"path"
	"strings"

	"github.com/deepemd/deepemd/core/network"
	"github.com/deepemd/deepemd/web/internal/kernel"
)

// Embedding describes the code, and the file it needs.
type Embedding struct {
	Element bool   // an element, not a frame with a whole page
	Sounds  bool   // the project classifies sounds
	Name    string // of the project
	Address string // future address of the file
	Program string // address of element.js, for the element
	Network string // the user's own network, which the element fetches; optional
	Page    string // the page's network that trained the project, unless it is the usual one
}

// Form returns the format of the file.
func (e Embedding) Form() kernel.Form {
	if e.Element {
		return kernel.FormProject
	}
	return kernel.FormPage
}

// FileName returns the name of the file.
func (e Embedding) FileName() string { return kernel.FileName(e.Name, e.Form()) }

// In returns the address of the file in a web folder, which ends in a slash.
func (e Embedding) In(folder string) string { return folder + url.PathEscape(e.FileName()) }

// Weights returns the address of the element's network. The user's own is next to the project's
// file.
func (e Embedding) Weights() string {
	if e.Page != "" {
		site := AddressFolder(strings.TrimSuffix(AddressFolder(e.Program), "/"))
		return site + "weights/" + e.Page + network.Ending
	}
	return AddressFolder(e.Address) + url.PathEscape(kernel.FileNamed(e.Network, ".safetensors"))
}

// frameStyle lets a frame fill the width of its container, with camera and answer visible without
// scrolling.
const frameStyle = "width: 100%; max-width: 1080px; height: 720px; border: 0"

// Code returns the code to paste into a page.
func (e Embedding) Code() string {
	source, device := "camera", "camera"
	if e.Sounds {
		source, device = "sound", "microphone"
	}
	if !e.Element {
		return `<iframe src="` + attribute(e.Address) + `" title="` + attribute(e.Name) + `"` + "\n" +
			`  allow="` + device + `" style="` + frameStyle + `"></iframe>`
	}
	weights := ""
	if e.Network != "" || e.Page != "" {
		weights = ` weights="` + attribute(e.Weights()) + `"`
	}
	return `<script type="module" src="` + attribute(e.Program) + `"></script>` + "\n" +
		`<deep-emd ` + source + ` project="` + attribute(e.Address) + `"` + weights + `></deep-emd>`
}

// attribute escapes text for an attribute.
func attribute(text string) string { return attributeEscapes.Replace(strings.TrimSpace(text)) }

var attributeEscapes = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;")

// AddressFault is a problem of a file's address.
type AddressFault int

// Problems of addresses: the first two never work, the others only for some visitors.
const (
	AddressFine     AddressFault = iota
	AddressPart                  // not an absolute web address
	AddressOther                 // a file of another kind
	AddressInsecure              // browsers block the camera there
	AddressLocal                 // only works on this machine
)

// Works reports whether code with the address works for some visitors.
func (f AddressFault) Works() bool { return f != AddressPart && f != AddressOther }

// CheckAddress checks the address of a file with the given ending.
func CheckAddress(text, ending string) AddressFault {
	u, err := url.Parse(strings.TrimSpace(text))
	switch {
	case err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Hostname() == "" || u.User != nil:
		return AddressPart
	case !strings.HasSuffix(strings.ToLower(u.Path), ending) || path.Base(u.Path) == ending:
		return AddressOther
	}
	host := u.Hostname()
	switch {
	case host == "localhost" || strings.HasSuffix(host, ".localhost") || host == "127.0.0.1" || host == "::1":
		return AddressLocal
	case u.Scheme == "http":
		return AddressInsecure
	}
	return AddressFine
}

// AddressFolder returns the folder of an address, with a slash at the end.
func AddressFolder(address string) string {
	address = strings.TrimSpace(address)
	return address[:strings.LastIndexByte(address, '/')+1]
}
