package figure

import (
	"fmt"
	"image"
	"math"

	"golang.org/x/image/draw"

	"github.com/deepemd/deepemd/core/answer"
	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/imaging"
)

// Subject is a match to draw.
type Subject struct {
	Explanation *answer.Match
	// From and To are the images of the match's sides.
	From, To Picture
	// Embedder made the nodes of both images, and Nodes is their number before the matcher merged some.
	Embedder embed.Embedder
	Nodes    int
	// Method describes the method in one line.
	Method string
	// Scale is the number of pixels per unit of the page. Pages are about 1000 units wide.
	Scale float64
}

// Picture is an image of a match.
type Picture struct {
	Name string         // for the caption: a file name
	View *imaging.Image // see View
}

// maxView limits the sides of a view in pixels.
const maxView = 1024

// View returns an embedder's view of an image with the image's own resolution (up to 1024 pixels a
// side) instead of the resolution of the network's input.
func View(e embed.Embedder, pre imaging.Preprocess, img *imaging.Image) *imaging.Image {
	side := min(img.Width, img.Height, maxView)
	if pre.Resize == 0 {
		pre.Size = side
		return e.View(pre, img)
	}
	finer := max(1, side/max(pre.Resize, pre.Size))
	pre.Size, pre.Resize = finer*pre.Size, finer*pre.Resize
	return e.View(pre, img)
}

func (s *Subject) header(title, subtitle string) header {
	return header{
		title: title, subtitle: subtitle, footer: s.Method,
		score: fmt.Sprintf("score %.2f", s.Explanation.Score),
		note:  fmt.Sprintf("similarity %.3f × %g", s.Explanation.Score/s.Explanation.Temperature, s.Explanation.Temperature),
	}
}

// reversed exchanges the images.
func (s *Subject) reversed() *Subject {
	r := *s
	r.Explanation, r.From, r.To = s.Explanation.Reverse(), s.To, s.From
	return &r
}

// leastDetail is the smallest shorter side of drawn images, so that the edges of regions are nearly
// whole pixels.
const leastDetail = 512

// longest is the longer side of the longest image that is scaled up: a line of pixels would take gigabytes.
const longest = 16 * leastDetail

// rgba converts an image, and scales it up to leastDetail.
func rgba(img *imaging.Image) *image.RGBA {
	out := image.NewRGBA(image.Rect(0, 0, img.Width, img.Height))
	for i, j := 0, 0; i+3 <= len(img.Pix); i, j = i+3, j+4 {
		out.Pix[j], out.Pix[j+1], out.Pix[j+2], out.Pix[j+3] = img.Pix[i], img.Pix[i+1], img.Pix[i+2], 0xff
	}
	short, long := min(img.Width, img.Height), max(img.Width, img.Height)
	if short >= leastDetail || long*leastDetail > longest*short {
		return out
	}
	larger := image.NewRGBA(image.Rect(0, 0, img.Width*leastDetail/short, img.Height*leastDetail/short))
	draw.CatmullRom.Scale(larger, larger.Rect, out, out.Rect, draw.Src, nil)
	return larger
}

// fit returns the largest rectangle with an image's aspect ratio in the middle of r.
func fit(r rect, shape image.Rectangle) rect {
	w, h := float64(shape.Dx()), float64(shape.Dy())
	scale := min(r.w/w, r.h/h)
	return rect{r.x + (r.w-w*scale)/2, r.y + (r.h-h*scale)/2, w * scale, h * scale}
}

// fitRegion returns a node's region in an image that fills r.
func fitRegion(r rect, region embed.Region) rect {
	return rect{
		r.x + float64(region.X0)*r.w, r.y + float64(region.Y0)*r.h,
		float64(region.X1-region.X0) * r.w, float64(region.Y1-region.Y0) * r.h,
	}
}

// part returns the pixels of a region, at least one.
func part(img image.Image, region embed.Region) image.Rectangle {
	b := img.Bounds()
	from := func(v float32, length int) int { return min(length-1, int(math.Round(float64(v)*float64(length)))) }
	x0, y0 := from(region.X0, b.Dx()), from(region.Y0, b.Dy())
	to := func(v float32, from, length int) int {
		return max(from+1, min(length, int(math.Round(float64(v)*float64(length)))))
	}
	return image.Rect(x0, y0, to(region.X1, x0, b.Dx()), to(region.Y1, y0, b.Dy()))
}

func (r rect) center() point { return point{r.x + r.w/2, r.y + r.h/2} }
