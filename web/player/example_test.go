package player_test

import (
	"fmt"

	"github.com/deepemd/deepemd/web/player"
)

// A template, which a built site has, becomes a page with a project in it.
func ExamplePage() {
	template := `<html data-language="{{language}}" data-parents="{{parents}}"><title>{{title}}</title>{{parts}}</html>`
	page, err := player.Page([]byte(template), player.Contents{
		Title: "Cups & pens", Parents: []string{"https://example.org"},
		Engine: []byte("program"), Weights: []byte("network"), Project: []byte("project"),
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s\n", page)
	// Output:
	// <html data-language="" data-parents="https://example.org"><title>Cups &#38; pens</title><script type="text/plain" id="part-engine">aB@;Fa$#*</script>
	// <script type="text/plain" id="part-weights">Ze=[LZ+pq</script>
	// <script type="text/plain" id="part-project">aB@;IWn++</script>
	// </html>
}
