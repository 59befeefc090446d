package figure

import (
	"bytes"
	"image"
	"image/color"
	"math"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/core/answer"
	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/imaging"
	"github.com/deepemd/deepemd/internal/bombs"
)

// quarters returns an image of four colors.
func quarters(side int, colors [4]color.RGBA) *imaging.Image {
	img := &imaging.Image{Width: side, Height: side, Pix: make([]uint8, 3*side*side)}
	for i := range side * side {
		c := colors[2*(i/side*2/side)+i%side*2/side]
		img.Pix[3*i], img.Pix[3*i+1], img.Pix[3*i+2] = c.R, c.G, c.B
	}
	return img
}

var (
	red    = color.RGBA{200, 0, 0, 255}
	green  = color.RGBA{0, 200, 0, 255}
	blue   = color.RGBA{0, 0, 200, 255}
	yellow = color.RGBA{200, 200, 0, 255}
	grays  = [4]color.RGBA{{40, 40, 40, 255}, {90, 90, 90, 255}, {140, 140, 140, 255}, {190, 190, 190, 255}}
)

// fourths returns the regions of a 2×2 grid.
func fourths() []embed.Region {
	return []embed.Region{{X1: .5, Y1: .5}, {X0: .5, X1: 1, Y1: .5}, {Y0: .5, X1: .5, Y1: 1}, {X0: .5, Y0: .5, X1: 1, Y1: 1}}
}

// exchanged returns a match of a gray image and a colored one. Each quarter flows to the opposite one:
// gray 0 to yellow, 1 to blue, 2 to green, 3 to red.
func exchanged() *Subject {
	weights := []float64{2, 1, .5, .5}
	e := &answer.Match{
		Score: 8, Total: 4, Temperature: 12.5,
		From:       answer.NewSide(fourths(), weights),
		To:         answer.NewSide(fourths(), []float64{.5, .5, 1, 2}),
		Similarity: make([]float64, 16),
	}
	flow := make([]float64, 16)
	for i, w := range weights {
		flow[4*i+3-i], e.Similarity[4*i+3-i] = w, 0.64
	}
	e.SetFlow(flow)
	return &Subject{
		Explanation: e, Scale: 1, Method: "by hand",
		From: Picture{"gray.png", quarters(64, grays)},
		To:   Picture{"colors.png", quarters(64, [4]color.RGBA{red, green, blue, yellow})},
	}
}

func TestMosaic(t *testing.T) {
	s := exchanged()
	light := func(c color.RGBA, share float64) color.RGBA {
		share = dimmest + (1-dimmest)*share
		part := func(v uint8) uint8 { return uint8(math.Round(float64(v) * share)) }
		return color.RGBA{part(c.R), part(c.G), part(c.B), 255}
	}
	for name, test := range map[string]struct {
		s    *Subject
		want [4]color.RGBA
	}{
		"there": {s, [4]color.RGBA{yellow, light(blue, .5), light(green, .25), light(red, .25)}},
		"back":  {s.reversed(), [4]color.RGBA{light(grays[3], .25), light(grays[2], .25), light(grays[1], .5), grays[0]}},
	} {
		img := mosaic(test.s.Explanation, test.s.layers(4)[0], rgba(test.s.To.View), 100, 100)
		for k, want := range test.want {
			if got := img.RGBAAt(25+50*(k%2), 25+50*(k/2)); got != want {
				t.Errorf("%s: quarter %d is %v, want %v", name, k, got, want)
			}
		}
		if got := img.RGBAAt(49, 20); got != paper {
			t.Errorf("%s: between two quarters is %v, want %v", name, got, paper)
		}
	}
	s.Explanation.Flow = s.Explanation.Flow[1:] // node 0 sends nothing
	if got := mosaic(s.Explanation, s.layers(4)[0], rgba(s.To.View), 100, 100).RGBAAt(25, 25); got != panel {
		t.Errorf("the place of a node that sends nothing is %v, want %v", got, panel)
	}
}

func TestOwners(t *testing.T) {
	// A large region with a small one in it, which comes first.
	nodes := answer.NewSide([]embed.Region{{X0: .5, Y0: .5, X1: .75, Y1: .75}, {X1: .75, Y1: .75}}, make([]float64, 2))
	got := owners(nodes, layer{nodes: []int{0, 1}}, 4, 4)
	want := []int{1, 1, 1, -1, 1, 1, 1, -1, 1, 1, 0, -1, -1, -1, -1, -1}
	for k := range want {
		if got[k] != want[k] {
			t.Fatalf("owners %v, want %v", got, want)
		}
	}
	// Crops of a grid that reach into each other share the image evenly.
	set := embed.Grid{Levels: []int{3}, Ratio: 2}
	view := quarters(90, grays)
	var crops []embed.Region
	for _, crop := range set.Crops(imaging.Preprocess{Size: 30, Std: [3]float32{1, 1, 1}}, view) {
		crops = append(crops, crop.Region)
	}
	for k, owner := range owners(answer.NewSide(crops, make([]float64, len(crops))), layer{numbers(0, 9), 3}, 90, 90) {
		if want := k/90/30*3 + k%90/30; owner != want {
			t.Fatalf("pixel %d, %d belongs to %d, want %d", k%90, k/90, owner, want)
		}
	}
}

func TestLayers(t *testing.T) {
	for _, test := range []struct {
		e    embed.Embedder
		n    int
		want []int
	}{
		{embed.FCN{}, 25, []int{25}},
		{embed.FCN{Pyramid: []int{2, 1}}, 30, []int{4, 1, 25}},
		{embed.Grid{Levels: []int{2, 3}, Ratio: 2}, 13, []int{4, 9}},
		{embed.Sampling{Patches: 7}, 7, []int{7}},
		{embed.Grid{Levels: []int{2, 3}, Ratio: 2}, 5, []int{5}},
	} {
		s := Subject{Embedder: test.e, Nodes: 30}
		if test.n != 5 {
			s.Nodes = test.n
		}
		at := 0
		layers := s.layers(test.n)
		if len(layers) != len(test.want) {
			t.Errorf("%v: %d layers, want %v", test.e, len(layers), test.want)
			continue
		}
		for k, l := range layers {
			if len(l.nodes) != test.want[k] || l.nodes[0] != at {
				t.Errorf("%v: layer %d has the nodes %v, want %d from %d on", test.e, k, l.nodes, test.want[k], at)
			}
			at += len(l.nodes)
		}
	}
}

// All pages can be drawn at any scale, with one or several layers, and drawing twice gives the same
// page.
func TestPages(t *testing.T) {
	layered := exchanged()
	layered.Embedder, layered.Nodes = embed.FCN{Pyramid: []int{1}}, 4
	wide := exchanged()
	wide.From.View = imaging.Resize(wide.From.View, 120, 40)
	long := exchanged()
	long.From.Name, long.Method = strings.Repeat("long/", 99), strings.Repeat("words ", 99)
	for name, s := range map[string]*Subject{"plain": exchanged(), "layered": layered, "wide": wide, "long": long} {
		for kind, draw := range map[string]func(*Subject) image.Image{
			"overview": (*Subject).Overview, "matches": (*Subject).Matches, "flow": (*Subject).Flow, "weights": (*Subject).Weights,
		} {
			s.Scale = 1
			img := draw(s)
			if !bytes.Equal(img.(*image.RGBA).Pix, draw(s).(*image.RGBA).Pix) {
				t.Errorf("%s, %s: drawn twice is not the same", name, kind)
			}
			s.Scale = 0.5
			half := draw(s)
			if math.Abs(float64(half.Bounds().Dx())-float64(img.Bounds().Dx())/2) > 1 {
				t.Errorf("%s, %s: %v at half the scale of %v", name, kind, half.Bounds(), img.Bounds())
			}
			if edge := image.Rect(0, 0, img.Bounds().Dx(), 8); !uniform(img, edge) {
				t.Errorf("%s, %s: something is drawn at the upper edge", name, kind)
			}
			if edge := image.Rect(img.Bounds().Dx()-8, 0, img.Bounds().Dx(), img.Bounds().Dy()); !uniform(img, edge) {
				t.Errorf("%s, %s: something is drawn at the right edge", name, kind)
			}
		}
	}
}

// uniform reports whether nothing is drawn in a part of a page.
func uniform(img image.Image, part image.Rectangle) bool {
	for y := part.Min.Y; y < part.Max.Y; y++ {
		for x := part.Min.X; x < part.Max.X; x++ {
			if img.At(x, y) != paper {
				return false
			}
		}
	}
	return true
}

// The heaviest quarter of the heat map is the brightest, and the lines of the
// overview have the color of where they begin.
func TestWeightsAndLines(t *testing.T) {
	s := exchanged()
	s.From.View = quarters(64, [4]color.RGBA{grays[2], grays[2], grays[2], grays[2]})
	img := s.Weights()
	top := float64(img.Bounds().Dy()) - heightBelow - 54 - 456 - caption // 54 is the height of the legend
	bright := func(x, y float64) float64 {
		c := img.(*image.RGBA).RGBAAt(int(margin+456*x), int(top+caption+456*y))
		return 0.299*float64(c.R) + 0.587*float64(c.G) + 0.114*float64(c.B)
	}
	if a, b, c, d := bright(.25, .25), bright(.75, .25), bright(.25, .75), bright(.75, .75); a < b+40 || b < c+10 || c != d {
		t.Errorf("quarters of weight 2, 1, ½, ½ are as bright as %v, %v, %v, %v", a, b, c, d)
	}
	for x, want := range map[int]color.RGBA{margin + 234: heatColor(0), margin + 234 + 467: heatColor(1)} { // the ends of the legend
		if got := img.(*image.RGBA).RGBAAt(x, int(top)+caption+456+22+5); got != want {
			t.Errorf("the legend is %v at %d, want %v", got, x, want)
		}
	}
	overview := s.Overview()
	middle := overview.(*image.RGBA)
	want := placeHue(.25, .25)
	found := 0
	for y := range middle.Rect.Dy() {
		c := middle.RGBAAt(580, y) // half way between the images
		if math.Abs(float64(c.R)-float64(want.R))+math.Abs(float64(c.G)-float64(want.G))+math.Abs(float64(c.B)-float64(want.B)) < 60 {
			found++
		}
	}
	if found < 6 || found > 20 {
		t.Errorf("half way the thickest line has %d pixels across, want about 8", found)
	}
}

// TestPicturesOnPages: the overview has both pictures, and a card of the flow has all patches that
// receive weight, side by side.
func TestPicturesOnPages(t *testing.T) {
	s := exchanged()
	flow := make([]float64, 16)
	flow[3], flow[1], flow[4+2], flow[8+1], flow[12] = 1.2, .8, 1, .5, .5 // node 0 sends to two nodes
	s.Explanation.SetFlow(flow)
	for name, test := range map[string]struct {
		page   image.Image
		colors []color.RGBA
	}{
		"overview": {s.Overview(), []color.RGBA{grays[0], yellow}}, // the heaviest quarters, which are not darkened
		"flow":     {s.Flow(), append(grays[:], yellow, blue, green, red)},
	} {
		for _, want := range test.colors {
			pixels := 0
			for y := range test.page.Bounds().Dy() {
				for x := range test.page.Bounds().Dx() {
					if test.page.At(x, y) == want {
						pixels++
					}
				}
			}
			if pixels < patchSide*patchSide/2 {
				t.Errorf("%s: %d pixels of %v, want a part of the picture", name, pixels, want)
			}
		}
	}
}

// Every page has the names of its pictures, the score and the method.
func TestTextsOnPages(t *testing.T) {
	for kind, draw := range map[string]func(*Subject) image.Image{
		"overview": (*Subject).Overview, "matches": (*Subject).Matches, "flow": (*Subject).Flow, "weights": (*Subject).Weights,
	} {
		page := func(change func(s *Subject)) []uint8 {
			s := exchanged()
			s.Scale = 0.5
			change(s)
			return draw(s).(*image.RGBA).Pix
		}
		same := page(func(*Subject) {})
		for what, change := range map[string]func(s *Subject){
			"first name":  func(s *Subject) { s.From.Name = "ash.jpg!" },
			"second name": func(s *Subject) { s.To.Name = "elms.jpg!!" },
			"method":      func(s *Subject) { s.Method = "by foot" },
			"score":       func(s *Subject) { s.Explanation.Score = 4 },
		} {
			if bytes.Equal(page(change), same) {
				t.Errorf("%s: the %s is not on the page", kind, what)
			}
		}
	}
}

// The overview has the first picture at the left and the second one at the right, and ends each line with a
// dot in the color of its beginning.
func TestOverview(t *testing.T) {
	s := exchanged()
	page := s.Overview().(*image.RGBA)
	const side = 473
	right, top := page.Rect.Dx()-margin-side, page.Rect.Dy()-heightBelow-side
	for name, test := range map[string]struct {
		x, y int
		want color.RGBA
	}{
		"heaviest quarter at the left":  {margin + 20, top + 20, grays[0]},
		"heaviest quarter at the right": {right + side - 20, top + side - 20, yellow},
		"dot at the left":               {margin + side/4, top + side/4, placeHue(.25, .25)},
		"dot at the right":              {right + side*3/4, top + side*3/4, placeHue(.25, .25)},
		"dot of the second quarter":     {right + side/4, top + side*3/4, placeHue(.75, .25)},
	} {
		if got := page.RGBAAt(test.x, test.y); got != test.want {
			t.Errorf("%s: %v, want %v", name, got, test.want)
		}
	}
}

// Nodes of a coarser layer are rings next to the center of their region.
func TestPlaces(t *testing.T) {
	s := &Subject{Embedder: embed.FCN{Pyramid: []int{1}}, Nodes: 5}
	side := answer.NewSide(append([]embed.Region{{X1: 1, Y1: 1}}, fourths()...), []float64{1, 4, 0, 1, 1})
	got := s.places(rect{0, 0, 100, 100}, side)
	want := []lineEnd{{point{61, 39}, 3.5, true}, {point{25, 25}, 7, false}, {point{75, 25}, 2.5, false}, {point{25, 75}, 3.5, false}, {point{75, 75}, 3.5, false}}
	for i, w := range want {
		if g := got[i]; math.Hypot(g.at.x-w.at.x, g.at.y-w.at.y) > 1e-9 || math.Abs(g.radius-w.radius) > 1e-9 || g.ring != w.ring {
			t.Errorf("node %d is %+v, want %+v", i, g, w)
		}
	}
	c := newCanvas(90, 40, 1)
	c.lineEnd(lineEnd{at: point{20, 20}, radius: 8}, red)
	c.lineEnd(lineEnd{at: point{60, 20}, radius: 8, ring: true}, red)
	for x, want := range map[int]color.RGBA{20: red, 25: red, 60: paper, 65: red} {
		if got := c.img.RGBAAt(x, 20); got != want {
			t.Errorf("at %d: %v, want %v", x, got, want)
		}
	}
}

// Cards are side by side, in rows, and the page has all of them. A card has at most six links; a number
// stands for the others.
func TestCards(t *testing.T) {
	s := exchanged()
	var regions []embed.Region
	for k := range 9 {
		x, y := float32(k%3)/3, float32(k/3)/3
		regions = append(regions, embed.Region{X0: x, Y0: y, X1: x + 1./3, Y1: y + 1./3})
	}
	s.Explanation.To, s.Explanation.Similarity = answer.NewSide(regions, make([]float64, 9)), make([]float64, 36)
	flow := make([]float64, 36)
	for k := range 8 {
		flow[k] = float64(k+1) / 18 // the first node sends to eight, the others to three
		flow[9+k%3], flow[18+k%3], flow[27+k%3] = 1./3, 1./6, 1./6
	}
	s.Explanation.SetFlow(flow)
	const width = 1220 - 2*margin
	cards := s.cards(width)
	if first := cards[0]; first.node != 0 || len(first.links) != 6 || len(first.rest) != 2 || math.Abs(totalFlow(first.rest)-3./18) > 1e-9 || first.links[0].To != 7 {
		t.Errorf("the first card is %+v", first)
	}
	x, y := 0., 0.
	for k, c := range cards {
		if c.at.x != x || c.at.y != y {
			t.Errorf("card %d is at %v, want %v, %v", k, c.at, x, y)
		}
		if right := x + c.width(); right > width {
			t.Errorf("card %d reaches to %v of %v", k, right, width)
		}
		if x += c.width() + cardGap; k+1 < len(cards) && x+cards[k+1].width() > width {
			x, y = 0, y+cardHeight+cardGap
		}
	}
	if len(cards) != 4 || y == 0 {
		t.Errorf("%d cards, the last one at %v: want 4 in two rows", len(cards), cards[len(cards)-1].at)
	}
	page := s.Flow()
	size := page.Bounds()
	if below := image.Rect(0, size.Dy()-16, size.Dx(), size.Dy()); !uniform(page, below) {
		t.Error("something is drawn at the lower edge")
	}
}

// Shapes have their area and place at every scale.
func TestShapes(t *testing.T) {
	for name, test := range map[string]struct {
		draw       func(c *canvas)
		area, x, y float64
	}{
		"disc":       {func(c *canvas) { c.disc(point{30, 40}, 10, red) }, math.Pi * 100, 30, 40},
		"rectangle":  {func(c *canvas) { c.fill(rect{20, 30, 50, 20}, 0, red) }, 1000, 45, 40},
		"rounded":    {func(c *canvas) { c.fill(rect{20, 30, 50, 20}, 6, red) }, 1000 - (4-math.Pi)*36, 45, 40},
		"very round": {func(c *canvas) { c.fill(rect{20, 30, 50, 20}, 99, red) }, 600 + math.Pi*100, 45, 40},
		"triangle":   {func(c *canvas) { c.polygon([]point{{10, 10}, {70, 10}, {10, 40}}, red) }, 900, 30, 20},
		"curve":      {func(c *canvas) { c.curve(point{10, 60}, point{90, 60}, 4, red) }, 4 * 80.4, 50, 57.9}, // it bends upwards
	} {
		for _, scale := range []float64{1, 2.5} {
			c := newCanvas(100, 100, scale)
			test.draw(c)
			var area, x, y float64
			for i := range c.img.Rect.Dx() * c.img.Rect.Dy() {
				px, py := i%c.img.Rect.Dx(), i/c.img.Rect.Dx()
				share := (float64(c.img.RGBAAt(px, py).R) - float64(paper.R)) / (float64(red.R) - float64(paper.R)) / (scale * scale)
				area, x, y = area+share, x+share*(float64(px)+0.5)/scale, y+share*(float64(py)+0.5)/scale
			}
			if x, y = x/area, y/area; math.Abs(area/test.area-1) > 0.01 || math.Abs(x-test.x) > 0.1 || math.Abs(y-test.y) > 0.1 {
				t.Errorf("%s at scale %g: area %.1f at %.2f, %.2f, want %.1f at %g, %g", name, scale, area, x, y, test.area, test.x, test.y)
			}
		}
	}
}

func TestFit(t *testing.T) {
	for shape, want := range map[image.Rectangle]rect{
		image.Rect(0, 0, 200, 100): {10, 20, 100, 50},
		image.Rect(0, 0, 100, 10):  {10, 40, 100, 10},
		image.Rect(5, 5, 25, 105):  {55, 20, 10, 50},
	} {
		if got := fit(rect{10, 20, 100, 50}, shape); got != want {
			t.Errorf("%v: %v, want %v", shape, got, want)
		}
	}
	for region, want := range map[embed.Region]image.Rectangle{
		{X0: .25, X1: .75, Y1: .5}:     image.Rect(10, 0, 30, 10),
		{X0: .5, X1: .5, Y0: 1, Y1: 1}: image.Rect(20, 19, 21, 20), // a pixel at least
	} {
		if got := part(image.NewRGBA(image.Rect(0, 0, 40, 20)), region); got != want {
			t.Errorf("%v: %v, want %v", region, got, want)
		}
	}
}

// Small images are scaled up, unless they are lines.
func TestDetail(t *testing.T) {
	for size, want := range map[image.Point]image.Point{{64, 32}: {1024, 512}, {600, 700}: {600, 700}, {32, 512}: {512, 8192}, {1000, 1}: {1000, 1}} {
		if got := rgba(&imaging.Image{Width: size.X, Height: size.Y, Pix: make([]uint8, 3*size.X*size.Y)}).Rect.Size(); got != want {
			t.Errorf("%v: %v, want %v", size, got, want)
		}
	}
}

// A view shows the embedded part of an image, at a higher resolution.
func TestView(t *testing.T) {
	img := &imaging.Image{Width: 300, Height: 200, Pix: make([]uint8, 3*300*200)}
	for i := range img.Pix {
		x, y := i/3%300, i/900
		img.Pix[i] = [3]uint8{uint8(x * 255 / 300), uint8(y * 255 / 200), 128}[i%3]
	}
	for name, pre := range map[string]imaging.Preprocess{"square": {Size: 32}, "resized": {Size: 32, Resize: 40}, "margin": {Size: 48, Resize: 40}} {
		for kind, e := range map[string]embed.Embedder{"fcn": embed.FCN{}, "grid": embed.Grid{Levels: []int{2}, Ratio: 2}} {
			seen, view := e.View(pre, img), View(e, pre, img)
			if view.Width < min(4*seen.Width, img.Height) || view.Width*seen.Height != view.Height*seen.Width {
				t.Errorf("%s, %s: a view of %d×%d of what is %d×%d", name, kind, view.Width, view.Height, seen.Width, seen.Height)
				continue
			}
			small := imaging.Resize(view, seen.Width, seen.Height)
			off := 0
			for i, v := range small.Pix {
				if d := int(v) - int(seen.Pix[i]); d < -6 || d > 6 {
					off++
				}
			}
			if allowed := 2 * 4 * small.Width * 3; off > 0 && (name != "margin" || off > allowed) { // at a margin's edges
				t.Errorf("%s, %s: %d of %d values are not those of what is embedded", name, kind, off, len(small.Pix))
			}
		}
	}
}

func TestColors(t *testing.T) {
	for share, want := range map[float64]color.RGBA{-1: {8, 6, 30, 255}, 0: {8, 6, 30, 255}, 1: {252, 253, 190, 255}, 2: {252, 253, 190, 255}} {
		if got := heatColor(share); got != want {
			t.Errorf("heat(%v) = %v, want %v", share, got, want)
		}
	}
	light := func(c color.RGBA) float64 { return 0.2126*float64(c.R) + 0.7152*float64(c.G) + 0.0722*float64(c.B) }
	for k := range 100 {
		if a, b := light(heatColor(float64(k)/100)), light(heatColor(float64(k+1)/100)); a >= b {
			t.Errorf("heat grows darker at %d%%: %v, then %v", k, a, b)
		}
	}
	// OKLCH(0.80 0.14 0°) in sRGB, from the definition's own converter.
	if got := hue(0); math.Abs(float64(got.R)-255) > 2 || math.Abs(float64(got.G)-152) > 3 || math.Abs(float64(got.B)-189) > 3 {
		t.Errorf("hue(0) = %v, want about (255, 152, 189)", got)
	}
}

func TestText(t *testing.T) {
	c := newCanvas(300, 50, 1)
	for text, want := range map[string]string{"short": "short", strings.Repeat("folder/", 20) + "name.png": "name.png"} {
		got := c.ellipsis(textStyle, text, 120)
		if c.width(textStyle, got) > 120 || !strings.HasSuffix(got, want) {
			t.Errorf("%.20q becomes %q", text, got)
		}
	}
	lines := c.wrapped(textStyle, strings.Repeat("some words ", 20), 150)
	for _, line := range lines {
		if c.width(textStyle, line) > 150 {
			t.Errorf("a line of %v units: %q", c.width(textStyle, line), line)
		}
	}
	if got := strings.Join(lines, " "); got != strings.TrimSpace(strings.Repeat("some words ", 20)) {
		t.Errorf("wrapped text says %q", got)
	}
	for share, want := range map[float64]string{0: "0%", .004: "0.4%", .09: "9.0%", .0996: "10%", .5: "50%", 1: "100%"} {
		if got := percent(share); got != want {
			t.Errorf("%v is %s, want %s", share, got, want)
		}
	}
}

func TestSheet(t *testing.T) {
	square, wide := quarters(50, [4]color.RGBA{red, red, red, red}), quarters(50, [4]color.RGBA{blue, blue, blue, blue})
	wide.Width, wide.Height = 100, 25
	cell := Cell{Picture: wide, Name: strings.Repeat("long name ", 9), Note: "5.20"}
	s := Sheet{Title: "Found in " + strings.Repeat("a long name ", 20), Subtitle: "2 pictures", Footer: "by hand", Rows: []SheetRow{
		{Query: Cell{Picture: square, Name: "query"}, Found: []Cell{cell, {Name: "gone"}}},
		{Query: Cell{Picture: square}, Found: make([]Cell, 20)},
	}}
	page := s.Draw().(*image.RGBA)
	top := heightAbove(1)
	x, y := margin+thumb+queryGap+thumb/2, int(top)+thumb/2
	for name, test := range map[string]struct {
		x, y int
		want color.RGBA
	}{
		"query":              {margin + thumb/2, y, red},
		"found":              {x, y, blue},
		"above what is wide": {x, y - thumb/2 + 8, panel},
		"not at hand":        {x + thumb + thumbGap, y - 20, panel},
		"second row":         {margin + thumb/2, y + thumb + thumbText + sheetGap, red},
	} {
		if got := page.RGBAAt(2*test.x, 2*test.y); got != test.want {
			t.Errorf("%s: %v, want %v", name, got, test.want)
		}
	}
	if want := 2 * (2*margin + thumb + queryGap + perRow*(thumb+thumbGap) - thumbGap); page.Rect.Dx() != want {
		t.Errorf("%d wide, want %d: ten pictures", page.Rect.Dx(), want)
	}
	if edge := image.Rect(page.Rect.Dx()-2*margin, 0, page.Rect.Dx(), page.Rect.Dy()); !uniform(page, edge) {
		t.Error("something is drawn in the right margin")
	}
	line := Cell{Picture: &imaging.Image{Width: 1000, Height: 1, Pix: make([]uint8, 3000)}}
	lines := Sheet{Rows: []SheetRow{{Query: line, Found: []Cell{line}}}}
	if took := bombs.Allocated(func() { lines.Draw() }); took > 100<<20 {
		t.Errorf("pictures of 1000×1 pixels take %d MB", took>>20)
	}
}
