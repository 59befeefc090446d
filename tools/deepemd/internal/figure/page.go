package figure

import "fmt"

// margin is the space at a page's edges, gap that between its parts.
const margin, gap = 32, 24

// header is the text at a page's beginning and end.
type header struct {
	title, subtitle string
	score           string // large, at the right
	note            string // what the score is
	footer          string // how the pictures were compared
}

// heightAbove is the height of a header before the page's content, with so many lines
// of subtitle.
func heightAbove(lines int) float64 {
	return margin + 30 + float64(lines)*textStyle.size*leadOfStyles + 14
}

// heightBelow is the height of a footer.
const heightBelow = 20 + margin

// newPage returns a page of a width with its header and footer drawn, and where
// its content begins; content is the height of that.
func newPage(h header, width, content, scale float64) (c *canvas, top float64) {
	measure := newCanvas(1, 1, scale)
	right := max(measure.width(titleStyle, h.score), measure.width(smallStyle, h.note))
	lines := measure.wrapped(textStyle, h.subtitle, width-2*margin-right-gap)
	top = heightAbove(len(lines))
	c = newCanvas(width, top+content+heightBelow, scale)
	c.write(point{margin, margin + 20}, 0, titleStyle, ink, h.title)
	for i, line := range lines {
		c.write(point{margin, margin + 46 + float64(i)*textStyle.size*leadOfStyles}, 0, textStyle, faint, line)
	}
	c.write(point{width - margin, margin + 20}, 1, titleStyle, mark, h.score)
	c.write(point{width - margin, margin + 44}, 1, smallStyle, faint, h.note)
	c.write(point{margin, top + content + heightBelow - 22}, 0, smallStyle, faint, c.shortened(smallStyle, h.footer, width-2*margin))
	return c, top
}

// percent is a share for people: 12%, 0.4%.
func percent(share float64) string {
	if share < 0.0995 && share > 0 {
		return fmt.Sprintf("%.1f%%", 100*share)
	}
	return fmt.Sprintf("%.0f%%", 100*share)
}
