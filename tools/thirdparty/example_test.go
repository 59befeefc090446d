package thirdparty_test

import (
	"fmt"
	"strings"

	"github.com/deepemd/deepemd/tools/thirdparty"
)

func ExampleNotice() {
	inv := thirdparty.Inventory{Parts: []thirdparty.Part{{
		Name: "Drawings", Licence: "CC-BY-4.0", From: "https://example.org", Note: "By Somebody, unchanged.",
		Texts: []thirdparty.Text{{Name: "LICENSE", Content: "You may.\n"}}, In: []thirdparty.Product{thirdparty.Site},
	}}}
	text := string(thirdparty.Notice(inv, thirdparty.Site))
	fmt.Println(text[strings.Index(text, "Drawings"):strings.Index(text, "\n---")])
	fmt.Println(strings.Contains(text, "You may."))
	// Output:
	// Drawings
	//     licence: CC-BY-4.0
	//     from: https://example.org
	//     By Somebody, unchanged.
	//
	// true
}
