package browsertest

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/chromedp"
)

// An evaluation in a page that hangs ends with an error that reports whether the browser answers.
func TestPageThatHangsIsFoundOut(t *testing.T) {
	b := Start(t, Options{})
	b.Open("data:text/html,<title>a page</title>")
	b.silence, b.lookEvery = 5*time.Second, time.Second
	_, err := run(b, chromedp.Evaluate[bool]("for (;;);"))
	if err == nil {
		t.Fatal("no error")
	}
	for _, want := range []string{"the page has not answered for 5s", "Chrome", "itself does"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("the error lacks %q: %v", want, err)
		}
	}
}

// An evaluation without an answer is repeated if the page answers others. A slow evaluation is not.
func TestAnswerThatIsMissing(t *testing.T) {
	b := Start(t, Options{})
	b.Open("data:text/html,<title>a page</title>")
	b.attempt, b.lookEvery = 2*time.Second, 500*time.Millisecond
	never := chromedp.Evaluate[bool]("new Promise(() => {})", chromedp.EvalAwaitPromise)
	if _, err := runShortly(b, never); err != errUnanswered {
		t.Errorf("error %v, want %v", err, errUnanswered)
	}
	b.WaitFor(`globalThis.asked ? true : (globalThis.asked = true, new Promise(() => {}))`, 20*time.Second)
	if got := Eval[int](b, "new Promise((resolve) => setTimeout(() => resolve(42), 4000))"); got != 42 {
		t.Errorf("an answer that takes its time is %d, want 42", got)
	}
}

// The timeout of a browser ends evaluations.
func TestBrowserEnds(t *testing.T) {
	b := Start(t, Options{Timeout: 30 * time.Second})
	ctx, stop := context.WithTimeout(b.ctx, time.Second)
	defer stop()
	b.ctx = ctx
	_, err := run(b, chromedp.Evaluate[bool]("new Promise(() => {})", chromedp.EvalAwaitPromise))
	if err != context.DeadlineExceeded && (err == nil || !strings.Contains(err.Error(), context.DeadlineExceeded.Error())) {
		t.Errorf("error %v, want one of a deadline", err)
	}
}

// An action on an element that the page replaces is repeated.
func TestElementThatIsReplaced(t *testing.T) {
	b := Start(t, Options{})
	b.Open(`data:text/html,<title>a page</title><input type="file">`)
	drawAgain := chromedp.Evaluate[any](`document.querySelector("input").outerHTML += ""; null`)
	tries := 0
	b.Do(func(ctx context.Context, target *chromedp.Target) (chromedp.Void, error) {
		nodes, err := chromedp.Nodes(chromedp.CSS("input"))(ctx, target)
		if err != nil {
			return chromedp.Void{}, err
		}
		if tries++; tries == 1 {
			if _, err := drawAgain(ctx, target); err != nil {
				return chromedp.Void{}, err
			}
		}
		_, err = cdp.Call(ctx, target, dom.SetFileInputFiles, dom.SetFileInputFilesParams{Files: []string{"/dev/null"}, NodeID: nodes[0].NodeID})
		return chromedp.Void{}, err
	})
	if tries != 2 {
		t.Errorf("%d tries, want 2", tries)
	}
}
