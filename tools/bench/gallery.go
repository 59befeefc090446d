package main

import (
	"fmt"
	"image"
	"image/png"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"

	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/gallery"
	"github.com/deepemd/deepemd/core/learner/keep"
	"github.com/deepemd/deepemd/core/method"
	"github.com/deepemd/deepemd/core/network/resnet12s"
	"github.com/deepemd/deepemd/core/project"
	"github.com/deepemd/deepemd/trainer/data"
)

const (
	galleryEntries = 10_000
	galleryReal    = 1000 // pictures whose features are real
	galleryQueries = 50   // of them
	galleryAdded   = 300  // pictures that the page embeds itself
)

// galleryInPage times deepemd/gallery in Chromium: a search among many pictures, with real
// features and others made of them, and adding pictures with one engine and with two.
func galleryInPage(b *bench) error {
	set, err := data.Open(b.pictures)
	if err != nil {
		b.peerNotes["pictures, so nothing is measured"] = fmt.Sprintf("%v: name others with -pictures", err)
		return nil
	}
	defer set.Close()
	each := (galleryReal + len(set.Classes()) - 1) / len(set.Classes())
	features, err := b.embedded(set, set.Classes(), each)
	if err != nil {
		return err
	}
	var real []*embed.Set
	var names []string
	for _, class := range set.Classes() {
		for _, p := range set.Pictures(class)[:each] {
			real, names = append(real, features[p.Name]), append(names, p.Name)
		}
	}
	file, err := madeGallery(real)
	if err != nil {
		return err
	}
	mux := http.NewServeMux()
	mux.Handle("/pages/", http.FileServerFS(pages))
	mux.Handle("/", http.FileServerFS(os.DirFS(b.site)))
	mux.HandleFunc("/many.index", func(w http.ResponseWriter, r *http.Request) { w.Write(file) })
	mux.HandleFunc("/picture/{n}", func(w http.ResponseWriter, r *http.Request) {
		var n int
		if _, err := fmt.Sscan(r.PathValue("n"), &n); err != nil || n < 0 || n >= len(names) {
			http.NotFound(w, r)
			return
		}
		picture, err := set.Image(names[n])
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "image/png")
		shown := image.NewRGBA(image.Rect(0, 0, picture.Width, picture.Height))
		for i := range picture.Width * picture.Height {
			copy(shown.Pix[4*i:], append(picture.Pix[3*i:][:3:3], 255))
		}
		png.Encode(w, shown)
	})
	server := httptest.NewServer(mux)
	defer server.Close()
	c, err := startChromium()
	if err != nil {
		return err
	}
	defer c.cancel()
	page, err := openSide(c, server.URL+"/pages/gallery.html")
	if err != nil {
		return err
	}
	opened, err := page.measure("open", "/many.index")()
	if err != nil {
		return err
	}
	b.row(fmt.Sprintf("opening %d pictures", galleryEntries), opened, "ms", "from the page's own files, with the program, the engine running")
	for _, candidates := range []int{0, 50, 200} {
		t, err := evaluate[searchTimes](page.ctx, fmt.Sprintf("peer.search(%d, %d, %d)", galleryQueries, len(names)/galleryQueries, candidates))
		if err != nil {
			return err
		}
		b.row(fmt.Sprintf("a query, %d candidates matched", candidates), median(t.Searching), "ms",
			fmt.Sprintf("beside the network; slowest %.0f; %.1f in choosing, %.1f in matching; %.1f with the query's embedding; %d of %d find themselves first",
				slices.Max(t.Searching), median(t.Choosing), median(t.Matching), median(t.All), t.Right, galleryQueries))
	}
	for engines := 1; engines <= 2; engines++ {
		ms, err := page.measure("add", engines, galleryAdded)()
		if err != nil {
			return err
		}
		b.row(fmt.Sprintf("adding a picture, %d engines", engines), ms, "ms", fmt.Sprintf("%.0f a second, with their embedding; mean of %d", 1e3/ms, galleryAdded))
	}
	return nil
}

// madeGallery is an index of many pictures: real ones, and others made of them.
func madeGallery(real []*embed.Set) ([]byte, error) {
	network := project.Network{Name: resnet12s.Name, SHA256: keep.Digest(resnet12s.Weights()), Embedder: method.Embedder{Kind: method.FCN}}
	var file gallery.Buffer
	w, err := gallery.Create(&file, gallery.Catalogue{Network: network, Source: "many"})
	if err != nil {
		return nil, err
	}
	r := rand.New(rand.NewPCG(1, 1))
	noise := make([]float32, len(real[0].Data))
	for i := range galleryEntries {
		picture := real[i%len(real)]
		if i >= len(real) {
			for k := range noise {
				noise[k] = float32(indexNoise * r.NormFloat64())
			}
			picture = perturbed(picture, noise)
		}
		if err := w.Add(fmt.Sprint(i), "", picture); err != nil {
			return nil, err
		}
		if (i+1)%4096 == 0 {
			if err := w.Commit(); err != nil {
				return nil, err
			}
		}
	}
	return file.Bytes, w.Close()
}

// searchTimes are those of several searches, in milliseconds.
type searchTimes struct {
	All       []float64 // with the query's embedding
	Searching []float64 // without
	Choosing  []float64
	Matching  []float64
	Right     int // queries that find themselves first
}

// median is that of some values.
func median(values []float64) float64 {
	return slices.Sorted(slices.Values(values))[len(values)/2]
}
