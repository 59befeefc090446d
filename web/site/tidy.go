package site

import (
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// tidy makes the output of go-app reproducible and complete: it sorts attributes, removes false
// boolean ones, and writes "true" for aria attributes without a value, as go-app's program in the
// browser does.
func tidy(markup string) (string, error) {
	nodes, err := html.ParseFragment(strings.NewReader(markup), &html.Node{Type: html.ElementNode, Data: "body", DataAtom: atom.Body})
	if err != nil {
		return "", err
	}
	var out strings.Builder
	for _, node := range nodes {
		for element := range node.Descendants() {
			tidyAttributes(element)
		}
		tidyAttributes(node)
		if err := html.Render(&out, node); err != nil {
			return "", err
		}
	}
	return out.String(), nil
}

func tidyAttributes(element *html.Node) {
	aria := func(a html.Attribute) bool { return strings.HasPrefix(a.Key, "aria-") }
	element.Attr = slices.DeleteFunc(element.Attr, func(a html.Attribute) bool {
		return a.Val == "false" && !aria(a) && a.Key != "spellcheck"
	})
	for i, a := range element.Attr {
		if a.Val == "" && aria(a) {
			element.Attr[i].Val = "true"
		}
	}
	slices.SortFunc(element.Attr, func(a, b html.Attribute) int { return strings.Compare(a.Key, b.Key) })
}
