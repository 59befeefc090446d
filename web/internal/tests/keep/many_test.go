//go:build !js

package keep_test

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/systeminfo"
	"github.com/chromedp/chromedp"

	"github.com/deepemd/deepemd/internal/browsertest"
	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/web/internal/studiotest"
)

// A project of many examples opens, from a file and on the next visit, without embedding any of
// them again, while the page stays responsive. DEEPEMD_MANY sets their number; the README's figures
// are for 5000.
func TestManyExamples(t *testing.T) {
	count := 400
	if text := os.Getenv("DEEPEMD_MANY"); text != "" {
		var err error
		if count, err = strconv.Atoi(text); err != nil {
			t.Fatal(err)
		}
	}
	file := studiotest.ProjectOf(t, []string{"one", "two"}, count/2)
	s := open(t, browsertest.Options{Timeout: 8 * time.Minute})
	s.Ready()
	alone := s.memory()
	// Missing embeddings are computed.
	s.counting()
	s.Visit()
	s.Ready()
	s.Eval(`globalThis.longest = 0; new PerformanceObserver((list) => list.getEntries().forEach((e) => { longest = Math.max(longest, e.duration); })).observe({ type: "longtask" });`)
	begin := time.Now()
	s.projects()
	s.Upload("#open-file", file)
	full := fmt.Sprintf(`(() => { const n = [...document.querySelectorAll(".card .count")].reduce((n, c) => n + parseInt(c.innerText), 0);
		return n === %d && document.querySelector("#kept.saved") && document.querySelector("#kept").innerText.startsWith("Saved"); })()`, count)
	s.WaitFor(full)
	opened := time.Since(begin)
	if made := browsertest.Eval[int](s.Browser, "made"); made != 0 {
		t.Errorf("%d of %d examples were embedded again", made, count)
	}
	before := s.exact()
	taught := s.memory()
	longest := browsertest.Eval[float64](s.Browser, "longest")

	begin = time.Now()
	s.Drop(studiotest.Card(1), studiotest.PictureFile(t, "one.jpg", studiotest.Red))
	s.WaitFor(strings.Replace(full, fmt.Sprint(count), fmt.Sprint(count+1), 1))
	one := time.Since(begin)
	s.Click("#undo")
	s.WaitFor(full)

	begin = time.Now()
	s.projects()
	s.Click("#save-file")
	saved := s.Saved(".deepemd")
	wrote := time.Since(begin)
	facts := require.Value(os.Stat(saved))(t)

	begin = time.Now()
	s.Visit()
	s.WaitFor(full)
	again := time.Since(begin)
	if made := browsertest.Eval[int](s.Browser, "made"); made != 0 {
		t.Errorf("%d of %d examples were embedded again on the next visit", made, count)
	}
	if after := s.exact(); !same(before, after, 1e-9) {
		t.Errorf("scores %v, on the next visit %v", before, after)
	}
	if n := s.Count(".thumbnail"); n > 200 {
		t.Errorf("%d thumbnails at once", n)
	}
	t.Logf("%d examples: opened from a file in %.1f s, on the next visit in %.1f s; one more taught and kept in %.1f s; file of %.0f MB written in %.1f s; "+
		"longest task %.0f ms; memory of the page's process %.0f MB, %.0f MB without them",
		count, opened.Seconds(), again.Seconds(), one.Seconds(), float64(facts.Size())/1e6, wrote.Seconds(), longest, taught, alone)
	s.Quiet()
}

// counting makes pages count examples without an embedding, in the variable made.
func (s *studio) counting() {
	s.T.Helper()
	const script = `globalThis.made = 0;
		const post = Worker.prototype.postMessage;
		Worker.prototype.postMessage = function (message, ...rest) {
			if (message?.type === "addExample" && !message.embedding) made++;
			return post.call(this, message, ...rest);
		};`
	s.RunFirst(script)
}

// memory returns the private memory of the browser's largest page process in MB.
func (s *studio) memory() float64 {
	s.T.Helper()
	reply := require.Value(chromedp.CallBrowser(context.WithoutCancel(s.Context()), systeminfo.GetProcessInfo, cdp.Empty{}))(s.T)
	most := 0.0
	for _, p := range reply.ProcessInfo {
		if p.Type != "renderer" {
			continue
		}
		text, err := os.ReadFile(fmt.Sprintf("/proc/%d/smaps_rollup", p.ID))
		if err != nil {
			s.T.Logf("no figures of memory: %v", err)
			return 0
		}
		for line := range strings.Lines(string(text)) {
			if fields := strings.Fields(line); len(fields) > 1 && fields[0] == "Pss:" {
				kB := require.Value(strconv.ParseFloat(fields[1], 64))(s.T)
				most = max(most, kB/1000)
			}
		}
	}
	return most
}
