package figure_test

import (
	"fmt"

	"github.com/deepemd/deepemd/core/imaging"
	"github.com/deepemd/deepemd/tools/deepemd/internal/figure"
)

// A sheet shows each query beside what was found for it.
func ExampleSheet_Draw() {
	picture := &imaging.Image{Width: 8, Height: 8, Pix: make([]byte, 8*8*3)}
	sheet := figure.Sheet{Title: "Search", Rows: []figure.SheetRow{{
		Query: figure.Cell{Picture: picture, Name: "query.png"},
		Found: []figure.Cell{{Picture: picture, Name: "found.png", Note: "12.50"}},
	}}}
	drawn, err := sheet.Draw()
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(drawn.Bounds().Dx() > drawn.Bounds().Dy())
	// Output: true
}
