// Package sharing is the feature that gives code to put a project into a page.
package sharing

import (
	"net/url"
	"path"
	"strings"

	"github.com/deepemd/deepemd/core/network"
	"github.com/deepemd/deepemd/web/internal/kernel"
)

// Embedding is how a project is put into somebody's page: code to paste, and the file
// that it needs.
type Embedding struct {
	Element bool   // an element in the page, not a frame with a whole page
	Sounds  bool   // the project tells sounds apart; there is no frame of those
	Name    string // of the project
	Address string // where the file will lie
	Program string // where element.js lies; for the element
	Network string // the name of the person's own network, which the element fetches; "" for the one that comes with it
	Small   bool   // the project was taught with the small network of the page, which lies with the program
}

// Form is the form of the file that the code needs.
func (e Embedding) Form() kernel.Form {
	if e.Element {
		return kernel.FormProject
	}
	return kernel.FormPage
}

// FileName is the name of the file that the code needs, under which it is saved.
func (e Embedding) FileName() string { return kernel.FileName(e.Name, e.Form()) }

// In returns the address of the file in a folder of the web, which ends in a slash.
func (e Embedding) In(folder string) string { return folder + url.PathEscape(e.FileName()) }

// Weights is where the network lies that the element fetches: the person's own will lie
// beside the project's file.
func (e Embedding) Weights() string {
	if e.Small {
		site := AddressFolder(strings.TrimSuffix(AddressFolder(e.Program), "/"))
		return site + "weights/" + network.ResNet12XS + network.Ending
	}
	return AddressFolder(e.Address) + url.PathEscape(kernel.FileNamed(e.Network, ".safetensors"))
}

// frameStyle has a frame fill the width of its place, and show camera and answer without
// being scrolled.
const frameStyle = "width: 100%; max-width: 1080px; height: 720px; border: 0"

// Code is what a person pastes into a page.
func (e Embedding) Code() string {
	if !e.Element {
		return `<iframe src="` + attribute(e.Address) + `" title="` + attribute(e.Name) + `"` + "\n" +
			`  allow="camera; microphone" style="` + frameStyle + `"></iframe>`
	}
	source := "camera"
	if e.Sounds {
		source = "sound"
	}
	weights := ""
	if e.Network != "" || e.Small {
		weights = ` weights="` + attribute(e.Weights()) + `"`
	}
	return `<script type="module" src="` + attribute(e.Program) + `"></script>` + "\n" +
		`<deep-emd ` + source + ` project="` + attribute(e.Address) + `"` + weights + `></deep-emd>`
}

// attribute writes text so that it stands for itself in an attribute's quotes.
func attribute(text string) string { return attributeEscapes.Replace(strings.TrimSpace(text)) }

var attributeEscapes = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;")

// AddressFault is what is wrong with the address of a file.
type AddressFault int

// What is wrong with an address: the first two do not work, with the others it does not
// work for everybody.
const (
	AddressFine     AddressFault = iota
	AddressPart                  // it is not a whole address of the web
	AddressOther                 // it names a file of another kind
	AddressInsecure              // browsers give such pages no camera
	AddressLocal                 // it is of this machine, and works on no other
)

// Works reports whether code with the address works anywhere.
func (f AddressFault) Works() bool { return f != AddressPart && f != AddressOther }

// CheckAddress says what is wrong with the address of a file whose name ends as given.
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

// AddressFolder is the folder that an address lies in, with a slash at the end.
func AddressFolder(address string) string {
	address = strings.TrimSpace(address)
	return address[:strings.LastIndexByte(address, '/')+1]
}
