//go:build !js

package keep_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/deepemd/deepemd/internal/browsertest"
	"github.com/deepemd/deepemd/web/internal/studiotest"
)

// times returns the number of kills. TestNothingIsLost has one of each.
func times(t *testing.T) int {
	t.Helper()
	text := os.Getenv("DEEPEMD_FAULTS")
	if text == "" {
		t.Skip("takes minutes: make faults, or DEEPEMD_FAULTS with how often")
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		t.Fatalf("DEEPEMD_FAULTS is %q: want how often each fault is tried", text)
	}
	return n
}

// shown is the page's number of examples, and whether it says that all are saved.
type shown struct {
	Examples int
	Saved    bool
}

// examples counts the examples of all classes.
const examples = `Array.from(document.querySelectorAll(".card .count"), (c) => parseInt(c.innerText) || 0).reduce((a, b) => a + b, 0)`

func (s *studio) shows() shown {
	s.T.Helper()
	return browsertest.Eval[shown](s.Browser, `({ Examples: `+examples+`, Saved: Boolean(document.querySelector("#kept.saved")?.innerText.includes("Saved")) })`)
}

// camera starts the camera.
func (s *studio) camera() {
	s.T.Helper()
	s.Click("#start")
	s.WaitFor(`document.querySelector("video").videoWidth > 0 && document.querySelector("#cameras")`)
}

// A tab that is killed while examples are taken has lost nothing that it showed as saved,
// and the next one has no damage to name.
//
//	DEEPEMD_FAULTS=20 go test -count 1 -v -timeout 60m -run TestTabsKilled ./web/internal/tests/keep
func TestTabsKilledWhileCapturing(t *testing.T) {
	n := times(t)
	r := rand.New(rand.NewPCG(19, 20))
	s := open(t, browsertest.Options{Camera: studiotest.PlainFilm(t), Timeout: time.Duration(5+2*n) * time.Minute})
	s.Ready()
	seen, unsaved, held := 0, 0, 0
	for k := range n {
		s.camera()
		card, before := studiotest.Card(k%2+1), s.shows().Examples
		release := s.Press(card + " .capture")
		s.WaitFor(fmt.Sprintf("%s > %d", examples, before))
		// alternately while the button is held and soon after
		last, saved := shown{}, shown{Examples: before}
		pause := time.Duration(200+r.IntN(2500)) * time.Millisecond
		for until := time.Now().Add(pause); time.Now().Before(until); {
			if last = s.shows(); last.Saved {
				saved = last
			}
			if release != nil && k%2 == 1 && time.Until(until) < pause/2 {
				release()
				release = nil
			}
		}
		if release != nil {
			held++
		}
		seen += last.Examples - before
		unsaved += last.Examples - saved.Examples
		killed := s
		s = s.tab()
		killed.Kill()
		s.Visit()
		s.Ready()
		s.WaitFor(`document.querySelector("#kept.saved") && !document.querySelector("#kept").innerText.includes("Opening")`)
		if got := s.shows().Examples; got < saved.Examples {
			t.Errorf("kill %d: %d examples are there, and %d were shown as saved", k+1, got, saved.Examples)
		} else if got > last.Examples+1 {
			t.Logf("kill %d: %d examples are there, %d were seen", k+1, got, last.Examples)
		}
		if s.Count(".message.warning, .message.trouble") > 0 {
			t.Errorf("kill %d: the next visit says %q", k+1, s.Text(".message"))
		}
	}
	t.Logf("%d tabs killed, %d of them with the button held; %d examples were taken, %d of them not yet shown as saved; %d are there in the end",
		n, held, seen, unsaved, s.shows().Examples)
	s.Quiet()
}

// holdingWorkers lets a test terminate the page's workers without an event.
const holdingWorkers = `
	globalThis.workers = [];
	globalThis.said = [];
	globalThis.Worker = class extends Worker {
		constructor(...args) {
			super(...args);
			workers.push(this);
		}
	};`

// A worker that dies while examples are taken comes back, and no example is lost.
//
//	DEEPEMD_FAULTS=20 go test -count 1 -v -timeout 60m -run TestWorkersKilled ./web/internal/tests/keep
func TestWorkersKilledWhileCapturing(t *testing.T) {
	n := times(t)
	r := rand.New(rand.NewPCG(19, 21))
	s := open(t, browsertest.Options{Camera: studiotest.PlainFilm(t), Timeout: time.Duration(5+4*n) * time.Minute}, holdingWorkers)
	s.Ready()
	s.Eval(`new MutationObserver(() => said.push(document.querySelector(".messages").innerText))
		.observe(document.querySelector(".messages"), { childList: true, subtree: true, characterData: true });`)
	s.camera()
	deaths := []string{"panic", "memory", "exit", "panic", "terminate"}
	died := map[string]int{}
	for k := range n {
		how := deaths[k%len(deaths)]
		died[how]++
		card, before := studiotest.Card(k%2+1), s.shows().Examples
		release := s.Press(card + " .capture")
		s.WaitFor(fmt.Sprintf("%s > %d", examples, before))
		time.Sleep(time.Duration(r.IntN(1000)) * time.Millisecond)
		s.Eval("said = []")
		had := s.shows().Examples
		if how == "terminate" {
			s.Eval("workers.at(-1).terminate()")
		} else {
			s.Eval(fmt.Sprintf(`studio.engine.then((e) => e[Symbol.for("deepemd.crash")](%q)).catch(() => {})`, how))
		}
		// a worker without a response is considered dead after a minute
		s.WaitFor(`said.some((text) => text.includes("running again"))`)
		release()
		s.WaitFor(`!document.querySelector(".card.held")`)
		said := strings.Join(browsertest.Eval[[]string](s.Browser, "said"), "\n")
		if !strings.Contains(said, "examples are kept") {
			t.Errorf("death %d (%s): the page said %q", k+1, how, said)
		}
		if got := s.shows().Examples; got < had {
			t.Errorf("death %d (%s): %d examples of %d are left", k+1, how, got, had)
		}
		s.WaitFor(`document.querySelector(".engine.ready")`)
		s.IsKept()
	}
	had := s.shows().Examples
	s.Revisit()
	if got := s.shows().Examples; got != had {
		t.Errorf("%d examples on the next visit, want %d", got, had)
	}
	t.Logf("%d workers died (%v); %d examples, none lost", n, died, had)
	s.Quiet("VideoFrame was garbage collected") // frames that the dead worker could not close
}
