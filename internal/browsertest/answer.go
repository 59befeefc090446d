package browsertest

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

type limits struct {
	// silence limits the time for a trivial expression.
	silence time.Duration
	// lookEvery is the interval of checks while a page works.
	lookEvery time.Duration
	// attempt limits the evaluation of a condition that takes no time, while the page answers other
	// expressions. Then it is evaluated again.
	attempt time.Duration
}

var usual = limits{silence: 45 * time.Second, lookEvery: 5 * time.Second, attempt: 15 * time.Second}

// errUnanswered is returned for an evaluation without an answer in a page that answers others.
var errUnanswered = errors.New("the evaluation got no answer, though the page answers others")

// run runs an action and ends it with an error if the page hangs. chromedp alone would wait
// until the timeout of the whole browser.
func run[T any](b *Browser, action chromedp.Action[T]) (T, error) {
	ctx, stop := context.WithCancelCause(b.ctx)
	defer stop(nil)
	go b.watch(ctx, stop)
	value, err := chromedp.Run(ctx, action)
	if err != nil && b.ctx.Err() == nil && ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	return value, err
}

// runShortly is run with the limit of an attempt. It returns errUnanswered if the page answers
// another expression afterwards.
func runShortly[T any](b *Browser, action chromedp.Action[T]) (T, error) {
	late := errors.New("late")
	value, err := run(b, func(ctx context.Context, target *chromedp.Target) (T, error) {
		ctx, stop := context.WithTimeoutCause(ctx, b.attempt, late)
		defer stop()
		value, err := action(ctx, target)
		if err != nil && context.Cause(ctx) == late {
			err = late
		}
		return value, err
	})
	if err == late {
		err = errUnanswered
		if silent := b.ask(b.ctx, b.silence); silent != nil {
			err = b.diagnose(silent)
		}
	}
	return value, err
}

// watch checks the page periodically until ctx ends. If the page does not answer, it ends ctx with
// the reason.
func (b *Browser) watch(ctx context.Context, stop context.CancelCauseFunc) {
	wait := time.NewTimer(b.lookEvery)
	defer wait.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-wait.C:
		}
		if err := b.ask(ctx, b.silence); err != nil && ctx.Err() == nil {
			stop(b.diagnose(err))
			return
		}
		wait.Reset(b.lookEvery)
	}
}

// ask returns an error unless the page evaluates an expression in time.
func (b *Browser) ask(ctx context.Context, within time.Duration) error {
	ctx, stop := context.WithTimeout(ctx, within)
	defer stop()
	_, err := chromedp.Call(ctx, runtime.Evaluate, runtime.EvaluateParams{Expression: "1"})
	return err
}

// diagnose adds whether the browser still answers to the error of a page that does not.
func (b *Browser) diagnose(err error) error {
	who := "nor does the browser itself"
	ctx, stop := context.WithTimeout(b.ctx, 10*time.Second)
	defer stop()
	if version, err := chromedp.CallBrowser(ctx, browser.GetVersion, cdp.Empty{}); err == nil {
		who = version.Product + " itself does"
	}
	return fmt.Errorf("the page has not answered for %v (%w), %s", b.silence, err, who)
}
