package ui

import (
	"fmt"
	"strings"
	"testing"

	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"github.com/deepemd/deepemd/web/internal/kernel"
	"github.com/deepemd/deepemd/web/internal/texts"
)

// A table of many classes has those that are mixed up most, in the order of the classes.
func TestMatrixOfManyClasses(t *testing.T) {
	counts := map[[2]string]int{{"c2", "c2"}: 9, {"c900", "c7"}: 2, {"c7", "c5"}: 1}
	var classes []kernel.Class
	for i := range 1000 {
		classes = append(classes, kernel.Class{ID: fmt.Sprint("c", i), Label: fmt.Sprint("class ", i)})
	}
	for n, captions := range map[int]int{mostInMatrix: 0, 1000: 1} {
		html := app.HTMLString(Matrix(texts.In("en"), "table", classes[:n], classes[:n], counts, nil))
		for part, want := range map[string]int{"<td": mostInMatrix * mostInMatrix, `scope="row"`: mostInMatrix, "<caption": captions} {
			if got := strings.Count(html, part); got != want {
				t.Errorf("%d classes: %d times %s, want %d", n, got, part, want)
			}
		}
		if at := strings.Index(html, "class 900"); n == 1000 && (at < strings.Index(html, "class 7<") || strings.Index(html, "class 5<") > strings.Index(html, "class 7<")) {
			t.Errorf("a class with mistakes is missing, or in another place: %d", at)
		}
	}
}
