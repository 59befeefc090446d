//go:build !js

package keep_test

import (
	"os"
	"strconv"
	"testing"
	"time"

	"github.com/deepemd/deepemd/internal/browsertest"
)

// Many images are shown and saved long before the engine has embedded them, and a page that was
// closed before then continues. DEEPEMD_MANY sets their number; the log has the times.
func TestManyPictures(t *testing.T) {
	count := 120
	if text := os.Getenv("DEEPEMD_MANY"); text != "" {
		var err error
		if count, err = strconv.Atoi(text); err != nil {
			t.Fatal(err)
		}
	}
	s := openReady(t, browsertest.Options{Timeout: 8 * time.Minute})
	file := teachable(t, "many.tm", "image", count-2*(count/3), count/3, count/3)
	begin := time.Now()
	s.openFile(file)
	s.WaitFor(`[...document.querySelectorAll(".cards .card .count")].reduce((n, c) => n + parseInt(c.innerText), 0) === ` + strconv.Itoa(count))
	shown := time.Since(begin)
	s.WaitFor(`document.querySelector("#kept.saved")`)
	t.Logf("%d pictures: shown after %v, kept after %v", count, shown.Round(time.Millisecond), time.Since(begin).Round(time.Millisecond))
	known := browsertest.Eval[int](s.Browser, `studio.engine.then((e) => e.classes.flatMap((c) => c.examples).length)`)
	t.Logf("the engine knew %d then", known)

	s.Visit()
	s.Ready()
	s.WaitFor(`[...document.querySelectorAll(".cards .card .count")].reduce((n, c) => n + parseInt(c.innerText), 0) === ` + strconv.Itoa(count))
	if count <= 120 {
		s.learned(count)
	}
	s.Quiet()
}
