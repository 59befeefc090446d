package main

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/css"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"

	"github.com/deepemd/deepemd/core/network/resnet12s"
	"github.com/deepemd/deepemd/core/network/resnet12xs"
	"github.com/deepemd/deepemd/web/server"
)

// sixth is the part of this machine's speed that the section slow leaves the browser.
const sixth = 1. / 6

// warming is how long a page has been live when its answers are counted.
const warming = 30 * time.Second

// starting is how long a fresh browser is busy with itself. Whoever visits a page has had it
// running.
const starting = 3 * time.Second

// watched is a camera as devices have them.
var watched = []chromedp.ExecAllocatorOption{
	chromedp.Flag("use-fake-device-for-media-stream", "fps=30"),
	chromedp.Flag("use-fake-ui-for-media-stream", true),
}

// visit is what a first visit to the studio gave on a slow device.
type visit struct {
	Embedded float64 // milliseconds from navigation to the first answer of a page that embeds
	First    float64 // and of the studio
	Early    float64 // answers a second to the camera, at first
	Rate     float64 // and half a minute later
	Engine   float64 // bytes of WebAssembly memory of the engine, which never shrinks
	Studio   float64 // and of the studio
	Scripts  float64 // bytes of the page's scripts
	Resident float64 // bytes of the page's process that no other shares
}

// slow measures the studio in a browser that is held to a sixth of this machine's speed: a
// first visit with each of the networks that come with the page, chosen before.
func slow(b *bench) error {
	site, err := server.New(os.DirFS(b.site))
	if err != nil {
		return err
	}
	mux := http.NewServeMux()
	mux.Handle("/", site)
	mux.Handle("/pages/", http.FileServerFS(pages))
	mux.HandleFunc("/blank", func(w http.ResponseWriter, _ *http.Request) { w.Header().Set("Content-Type", "text/html") })
	s := httptest.NewServer(mux)
	defer s.Close()
	rounds, seconds := 5, 10
	if b.repetitions < 11 {
		rounds, seconds = 2, 5
	}
	how := ""
	visits := map[string][]visit{}
	networks := []string{resnet12xs.Name, resnet12s.Name}
	for range rounds {
		for _, network := range networks {
			got, held, err := slowVisit(s.URL, network, seconds)
			if err != nil {
				return err
			}
			how = held
			visits[network] = append(visits[network], got)
		}
	}
	of := func(network string, figure func(visit) float64) float64 {
		var all []float64
		for _, v := range visits[network] {
			all = append(all, figure(v))
		}
		return middle(all)
	}
	for _, network := range networks {
		b.row("first answer of a page that embeds, "+network, of(network, func(v visit) float64 { return v.Embedded })/1000, "s",
			"goal: at most 4; since navigation, nothing cached; "+how)
		b.row("first answer of the studio, "+network, of(network, func(v visit) float64 { return v.First })/1000, "s",
			"goal: at most 4; since navigation, taught by files")
		b.row("answers to a camera at first, "+network, of(network, func(v visit) float64 { return v.Early }), "answers/s", "while the browser still makes the programs faster and keeps the site for offline")
		b.row("answers to a camera, "+network, of(network, func(v visit) float64 { return v.Rate }), "answers/s", "goal: at least 8 with "+resnet12xs.Name)
		megabytes := func(figure func(visit) float64) float64 { return of(network, figure) / 1e6 }
		b.row("memory of the page, "+network, megabytes(func(v visit) float64 { return v.Engine + v.Studio + v.Scripts }), "MB", fmt.Sprintf(
			"goal: at most 120; WebAssembly memory of the engine %.0f, of the studio %.0f, scripts %.0f; the page's process has %.0f MB to itself, with programs and what is drawn",
			megabytes(func(v visit) float64 { return v.Engine }), megabytes(func(v visit) float64 { return v.Studio }),
			megabytes(func(v visit) float64 { return v.Scripts }), megabytes(func(v visit) float64 { return v.Resident })))
	}
	return nil
}

// slowVisit has fresh browsers, which are held back once they run, visit a page that embeds
// and the studio.
func slowVisit(site, network string, seconds int) (got visit, how string, err error) {
	_, err = held(site, func(ctx context.Context) (err error) {
		if err = chromedp.Do(ctx, chromedp.Navigate(site+"/pages/start.html?weights=/weights/"+network+".safetensors")); err == nil {
			got.Embedded, err = evaluate[float64](ctx, firstPrediction)
		}
		return err
	})
	if err != nil {
		return got, "", err
	}
	chosen := "usual" // what web/static/web/supplied.js keeps
	if network == resnet12xs.Name {
		chosen = "small"
	}
	how, err = held(site, func(ctx context.Context) error {
		if _, err := evaluate[bool](ctx, fmt.Sprintf(`(localStorage.setItem("deepemd.network", %q), true)`, chosen)); err != nil {
			return err
		}
		return slowStudio(ctx, &got, site, network, seconds)
	})
	return got, how, err
}

// held starts a browser with an empty page of the site, holds it back once it runs, and says how.
func held(site string, visit func(ctx context.Context) error) (how string, err error) {
	c, err := startChromium(watched...)
	if err != nil {
		return "", err
	}
	ctx, err := c.tab(site + "/blank")
	if err != nil {
		c.cancel()
		return "", err
	}
	if err := withoutTools(ctx); err != nil {
		c.cancel()
		return "", err
	}
	time.Sleep(starting)
	how, release, err := hold(sixth)
	if err != nil {
		c.cancel()
		return "", err
	}
	defer release()
	defer c.cancel()
	return how, visit(ctx)
}

// withoutTools ends what developer tools are told of a tab: elements, styles, answers of
// the network, workers. On a slow device that costs a fifth of the time to be measured.
func withoutTools(ctx context.Context) error {
	return chromedp.Do(ctx, chromedp.Func(func(ctx context.Context, tab *chromedp.Target) error {
		for _, end := range []struct {
			method string
			params any
		}{
			{css.Disable.Method, cdp.Empty{}},
			{dom.Disable.Method, cdp.Empty{}},
			{network.Disable.Method, cdp.Empty{}},
			{log.Disable.Method, cdp.Empty{}},
			{target.SetAutoAttach.Method, target.SetAutoAttachParams{}},
		} {
			if err := tab.Call(ctx, end.method, end.params, nil); err != nil {
				return fmt.Errorf("%s: %w", end.method, err)
			}
		}
		return nil
	}))
}

func slowStudio(ctx context.Context, got *visit, site, network string, seconds int) (err error) {
	if err := chromedp.Do(ctx, func(ctx context.Context, tab *chromedp.Target) (chromedp.Void, error) {
		_, err := cdp.Call(ctx, tab, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: observed})
		return chromedp.Void{}, err
	}); err != nil {
		return err
	}
	if err := chromedp.Do(ctx, chromedp.Navigate(site+"/")); err != nil {
		return err
	}
	if got.First, err = evaluate[float64](ctx, firstAnswer); err != nil {
		return err
	}
	if name, err := evaluate[string](ctx, "studio.engine.then((e) => e.info.name)"); err != nil || name != network {
		return fmt.Errorf("%q answers, want %s: %w", name, network, err)
	}
	if _, err := evaluate[bool](ctx, lesson); err != nil {
		return err
	}
	if _, err := evaluate[bool](ctx, "lesson.start()"); err != nil {
		return err
	}
	for _, rate := range []*float64{&got.Early, &got.Rate} {
		live, err := stretch(ctx, fmt.Sprintf("lesson.watch(%d)", seconds))
		if err != nil {
			return err
		}
		if *rate = live.Rate; rate == &got.Early {
			time.Sleep(warming)
		}
	}
	if got.Resident, err = resident(); err != nil {
		return err
	}
	memory, err := evaluate[[3]float64](ctx, pageMemory)
	got.Engine, got.Studio, got.Scripts = memory[0], memory[1], memory[2]
	return err
}

// observed has a page remember the memory of the studio's program.
const observed = `(() => {
	const { instantiate } = WebAssembly;
	WebAssembly.instantiate = async (...of) => {
		const made = await instantiate.apply(WebAssembly, of);
		globalThis.observed = (made.instance ?? made).exports.mem;
		return made;
	};
})()`

// pageMemory answers with what the page holds: WebAssembly memory of the engine and of the
// studio, and its scripts' own, all in bytes.
const pageMemory = `(async () => {
	const engine = await (await studio.engine)[Symbol.for("deepemd.memory")]();
	return [engine.wasm, observed.buffer.byteLength, performance.memory.usedJSHeapSize];
})()`

// resident is how many bytes the largest process of the browser's pages has to itself: there
// is one page.
func resident() (float64, error) {
	largest := 0
	for _, pid := range descendants(os.Getpid())[1:] {
		at := filepath.Join("/proc", strconv.Itoa(pid))
		command, err := os.ReadFile(filepath.Join(at, "cmdline"))
		if err != nil || !bytes.Contains(command, []byte("--type=renderer")) {
			continue
		}
		status, err := os.ReadFile(filepath.Join(at, "status"))
		if err != nil {
			continue // it has just ended
		}
		for line := range bytes.Lines(status) {
			if fields := bytes.Fields(line); len(fields) > 1 && string(fields[0]) == "RssAnon:" {
				kilobytes, err := strconv.Atoi(string(fields[1]))
				if err != nil {
					return 0, err
				}
				largest = max(largest, kilobytes)
			}
		}
	}
	return 1024 * float64(largest), nil
}
