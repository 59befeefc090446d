package figure

import (
	"image"
	"image/color"
	"strings"
	"sync"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"
)

// style is a size of text, in units of the page, and its weight.
type style struct {
	size float64
	bold bool
}

// The styles of a page.
var (
	titleStyle   = style{25, true}
	textStyle    = style{14, false}
	numberStyle  = style{13, true}
	smallStyle   = style{11.5, false}
	leadOfStyles = 1.4 // height of a line, in sizes
)

// faces are parsed once; those of a size are made for each page, because they are
// not safe for concurrent use.
var faces = sync.OnceValue(func() (parsed [2]*opentype.Font) {
	for i, raw := range [2][]byte{goregular.TTF, gobold.TTF} {
		var err error
		if parsed[i], err = opentype.Parse(raw); err != nil {
			panic("figure: the fonts that come with x/image do not parse: " + err.Error())
		}
	}
	return parsed
})

// fonts are the faces of a page.
type fonts struct {
	scale float64
	made  map[style]font.Face
}

func newFonts(scale float64) *fonts { return &fonts{scale, map[style]font.Face{}} }

func (f *fonts) face(s style) font.Face {
	if face := f.made[s]; face != nil {
		return face
	}
	which := 0
	if s.bold {
		which = 1
	}
	face, err := opentype.NewFace(faces()[which], &opentype.FaceOptions{Size: s.size * f.scale, DPI: 72})
	if err != nil {
		panic("figure: " + err.Error())
	}
	f.made[s] = face
	return face
}

// width is how far a line of text goes, in units of the page.
func (c *canvas) width(s style, text string) float64 {
	return float64(font.MeasureString(c.fonts.face(s), text)) / 64 / c.scale
}

// write writes a line of text. at is the left end of its base line; along says
// which part of its width lies left of at: 0 none, 0.5 half, 1 all.
func (c *canvas) write(at point, along float64, s style, colour color.RGBA, text string) {
	x := at.x - along*c.width(s, text)
	d := font.Drawer{Dst: c.img, Src: image.NewUniform(colour), Face: c.fonts.face(s)}
	d.Dot = fixed.Point26_6{X: fixed.Int26_6(x * c.scale * 64), Y: fixed.Int26_6(at.y * c.scale * 64)}
	d.DrawString(text)
}

// shortened is a text that goes no farther than width: of a longer one its end,
// where file names differ.
func (c *canvas) shortened(s style, text string, width float64) string {
	if c.width(s, text) <= width {
		return text
	}
	letters := []rune(text)
	for len(letters) > 1 && c.width(s, "…"+string(letters)) > width {
		letters = letters[1:]
	}
	return "…" + string(letters)
}

// wrapped breaks a text into lines of at most width. A word that is longer is
// shortened.
func (c *canvas) wrapped(s style, text string, width float64) []string {
	var lines []string
	line := ""
	for _, word := range strings.Fields(text) {
		word = c.shortened(s, word, width)
		switch longer := line + " " + word; {
		case line == "":
			line = word
		case c.width(s, longer) <= width:
			line = longer
		default:
			lines, line = append(lines, line), word
		}
	}
	return append(lines, line)
}
