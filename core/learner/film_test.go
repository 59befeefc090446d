package learner_test

import (
	"archive/zip"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/core/imaging"
	"github.com/deepemd/deepemd/core/learner"
	"github.com/deepemd/deepemd/internal/require"
)

// The side of a film's frames in pixels, and the margin of the scene around them, in which the
// camera moves.
const (
	frameSide = 120
	margin    = 8
)

// conditions are the lighting, camera and object parameters of a frame.
type conditions struct {
	gain         float64    // brightness
	tint         [3]float64 // factors of the color channels
	lamp         float64    // difference in brightness between two sides of the scene
	across       float64    // the direction of the lamp, in radians
	shadow       float64    // depth of a soft shadow
	shadowX      float64    // position of the shadow, in fractions of the frame
	dx, dy       float64    // offset of the camera, in pixels
	noise        float64    // σ of the sensor noise, on the scale 0 to 255
	place, size  float64    // distance of the object from the center, and its side, in fractions of the frame
	heading, bow float64    // direction of this distance, and tilt of the object, in radians
}

// taking draws the conditions of a frame. In a burst, as from a held button, the light hardly
// changes. Later frames vary in light, shadow and camera position.
func taking(r *rand.Rand, burst bool) conditions {
	about := func(most float64) float64 { return most * (2*r.Float64() - 1) }
	c := conditions{
		gain: 1 + about(0.05), tint: [3]float64{1 + about(0.01), 1, 1 + about(0.01)}, across: about(math.Pi),
		dx: about(2), dy: about(2), noise: 4 + 4*r.Float64(),
		place: 0.08 * r.Float64(), size: 0.45 + 0.4*r.Float64(), heading: about(math.Pi), bow: about(0.15),
	}
	if !burst {
		c.gain, c.tint = 1+about(0.25), [3]float64{1 + about(0.06), 1, 1 + about(0.06)}
		c.lamp = 0.25 * r.Float64()
		c.dx, c.dy, c.noise = about(margin), about(margin), 4+8*r.Float64()
		if r.IntN(4) == 0 {
			c.shadow, c.shadowX = 0.35*r.Float64(), r.Float64()
		}
	}
	return c
}

// film renders a frame of a scene, with an object in front unless thing is nil.
func film(r *rand.Rand, scene, thing *imaging.Image, c conditions) learner.Picture {
	p := learner.Picture{Width: frameSide, Height: frameSide, Data: make([]byte, 0, 3*frameSide*frameSide)}
	sin, cos := math.Sincos(c.bow)
	lx, ly := math.Cos(c.across), math.Sin(c.across)
	for y := range frameSide {
		for x := range frameSide {
			u, v := float64(x)/frameSide-0.5, float64(y)/frameSide-0.5
			color := sample(scene, margin+float64(x)+c.dx, margin+float64(y)+c.dy)
			if thing != nil {
				// Coordinates of the object, −½ to ½. Its outline is round and soft.
				a, b := u-c.place*math.Cos(c.heading), v-c.place*math.Sin(c.heading)
				a, b = (cos*a+sin*b)/c.size, (cos*b-sin*a)/c.size
				if cover := min(1, (0.5-math.Hypot(a, b))*12); cover > 0 {
					front := sample(thing, (a+0.5)*float64(thing.Width-1), (b+0.5)*float64(thing.Height-1))
					for k := range color {
						color[k] += cover * (front[k] - color[k])
					}
				}
			}
			light := c.gain * (1 + c.lamp*(u*lx+v*ly)*2)
			light *= 1 - c.shadow*math.Exp(-8*(u+0.5-c.shadowX)*(u+0.5-c.shadowX))
			for k, value := range color {
				p.Data = append(p.Data, byte(min(max(value*light*c.tint[k]+c.noise*r.NormFloat64(), 0), 255)))
			}
		}
	}
	return p
}

// sample interpolates the color between pixels.
func sample(m *imaging.Image, x, y float64) (color [3]float64) {
	x, y = min(max(x, 0), float64(m.Width)-1.001), min(max(y, 0), float64(m.Height)-1.001)
	i, j := int(x), int(y)
	fx, fy := x-float64(i), y-float64(j)
	for k := range color {
		at := func(i, j int) float64 { return float64(m.Pix[3*(j*m.Width+i)+k]) }
		color[k] = (at(i, j)*(1-fx)+at(i+1, j)*fx)*(1-fy) + (at(i, j+1)*(1-fx)+at(i+1, j+1)*fx)*fy
	}
	return color
}

// pictures holds images of classes that the network was not trained on.
type pictures struct {
	files   map[string][]*zip.File
	classes []string
}

// openPictures opens a dataset's archive, and reads the class names of one part of its split.
func openPictures(t *testing.T, archive, split, part string) *pictures {
	t.Helper()
	text := require.Value(os.ReadFile(require.Shared(t, split)))(t)
	var parts map[string]json.RawMessage
	require.NoError(t, json.Unmarshal(text, &parts))
	p := &pictures{files: map[string][]*zip.File{}}
	require.NoError(t, json.Unmarshal(parts[part], &p.classes))
	z := require.Value(zip.OpenReader(require.Shared(t, archive)))(t)
	t.Cleanup(func() { z.Close() })
	for _, f := range z.File {
		if class, _, ok := strings.Cut(f.Name, "/"); ok && slices.Contains(p.classes, class) {
			p.files[class] = append(p.files[class], f)
		}
	}
	return p
}

// draw returns a random image of a class.
func (p *pictures) draw(t *testing.T, r *rand.Rand, class string) *imaging.Image {
	t.Helper()
	files := p.files[class]
	f := require.Value(files[r.IntN(len(files))].Open())(t)
	defer f.Close()
	data := require.Value(io.ReadAll(f))(t)
	m := require.Value(imaging.Decode(data))(t)
	return m
}

// shots holds the embedded frames of a film: the examples and the later frames.
type shots struct {
	empty, laterEmpty   []learner.Picture
	things, laterThings [][]learner.Picture // by thing
}

// shoot renders a film of three objects in front of a scene.
func shoot(t *testing.T, p *pictures, r *rand.Rand, network *learner.Learner) (s shots) {
	t.Helper()
	order := r.Perm(len(p.classes))
	scene := imaging.Resize(p.draw(t, r, p.classes[order[0]]), frameSide+2*margin, frameSide+2*margin)
	frames := func(n int, thing *imaging.Image, burst bool) (list []learner.Picture) {
		for range n {
			set := require.Value(network.Embed(film(r, scene, thing, taking(r, burst))))(t)
			list = append(list, learner.Picture{Embedding: slices.Clone(set.Data)})
		}
		return list
	}
	s.empty, s.laterEmpty = frames(10, nil, true), frames(20, nil, false)
	for _, class := range order[1:4] {
		thing := p.draw(t, r, p.classes[class])
		s.things = append(s.things, frames(5, thing, true))
		s.laterThings = append(s.laterThings, frames(8, thing, false))
	}
	return s
}

// TestFilm adds ten frames of a scene, taken in a burst, as background examples, and frames of
// three objects in front of the scene as classes. Later frames have other light, offsets and
// more noise: the scene must be unknown, and the objects known. The default network has learned
// their classes, the other one has not.
func TestFilm(t *testing.T) {
	p := openPictures(t, "datasets/tiny-imagenet.zip", "datasets/tiny-imagenet.json", "test")
	for _, file := range []string{"../network/resnet12photo/resnet12-photo.safetensors", "../../trainer/results/weights/resnet12-s-150.safetensors"} {
		t.Run(filepath.Base(file), func(t *testing.T) { watchFilms(t, p, file) })
	}
}

func watchFilms(t *testing.T, p *pictures, file string) {
	const films = 8
	weights := require.Value(os.ReadFile(file))(t)
	network := require.Value(learner.OpenWith(weights, learner.Options{Threads: 1}))(t)
	var taken []shots
	for f := range uint64(films) {
		taken = append(taken, shoot(t, p, rand.New(rand.NewPCG(f, 23)), network))
	}
	info := network.Info()
	for _, c := range []struct{ examples, nothing int }{{1, 0}, {1, 1}, {1, 10}, {5, 0}, {5, 1}, {5, 10}} {
		var empty, turned, right, claimed, asked, shown int
		for _, s := range taken {
			l := require.Value(learner.NewFromFeatures(learner.Shape{Nodes: info.Nodes, Channels: info.Channels}, learner.Options{Kit: learner.CommonParts(), Prior: network.Prior()}))(t)
			for i, frames := range s.things {
				for _, frame := range frames[:c.examples] {
					require.NoError(t, l.Add(fmt.Sprint(i), frame))
				}
			}
			for _, frame := range s.empty[:c.nothing] {
				require.NoError(t, l.AddBackground(frame))
			}
			answered := func(frame learner.Picture) *learner.Answer {
				a := require.Value(l.Model().Classify(frame))(t)
				return a
			}
			for _, frame := range s.laterEmpty {
				asked++
				if answered(frame).Unknown() {
					empty++
				}
			}
			for i, frames := range s.laterThings {
				for _, frame := range frames {
					shown++
					a := answered(frame)
					if a.Unknown() {
						turned++
					}
					if a.Verdict.Nothing != "" {
						claimed++
					}
					if a.Label() == fmt.Sprint(i) {
						right++
					}
				}
			}
		}
		share := func(n, of int) float64 { return float64(n) / float64(of) }
		t.Logf("%d examples of each thing, %d of nothing: %5.1f%% of %d frames of the scene are unknown; of %d with things %.1f%% are unknown, %.1f%% claimed by nothing, %.1f%% named rightly",
			c.examples, c.nothing, 100*share(empty, asked), asked, shown, 100*share(turned, shown), 100*share(claimed, shown), 100*share(right, shown))
		if c.nothing == 10 && (share(empty, asked) < 0.9 || share(turned, shown) > 0.15) {
			t.Errorf("%d examples: want at least 90%% of the scene's frames unknown, and at most 15%% of those with things", c.examples)
		}
		if c.nothing == 0 && claimed > 0 {
			t.Error("nothing was taught, and claims frames")
		}
	}
}
