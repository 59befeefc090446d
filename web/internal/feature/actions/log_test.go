package actions

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/deepemd/deepemd/web/internal/kernel"
	"github.com/deepemd/deepemd/web/internal/kerneltest"
	"github.com/deepemd/deepemd/web/internal/texts"
)

func TestLog(t *testing.T) {
	seeing(t, func(t *testing.T, s *kernel.Kernel, then *Actions, f *fakeEffects, show func(string, time.Duration)) {
		s.Classes.Rename(kerneltest.IDs(s)[1], "=Dog;\"")
		then.Log.Keep(true)
		show("Cat", 2*time.Second)
		show("?", time.Second)
		kerneltest.Rest(10 * time.Second)
		show("Cat", time.Second)
		then.Log.Keep(false)
		show("Cat", time.Second)
		spans, rows := then.Log.Strip()
		var said []string
		for _, span := range spans {
			said = append(said, fmt.Sprint(span.Label, " ", span.To.Sub(span.From).Round(time.Second), " ", len(span.Seen)))
		}
		if got, want := strings.Join(said, ", "), "Cat 2s 1, Unknown 1s 1, Cat 1s 1"; got != want {
			t.Errorf("spans %s, want %s", got, want)
		}
		if len(rows) != 2 || rows[0].Label != "Cat" || rows[1].Label != "Unknown" {
			t.Errorf("rows %+v", rows)
		}
		totals := Totals(spans)
		if len(totals) != 2 || totals[0].Label != "Cat" || totals[0].Times != 2 || totals[0].Lasted.Round(time.Second) != 3*time.Second {
			t.Errorf("totals %+v", totals)
		}

		then.SaveLog("My: log")
		text := f.texts["My log.csv"]
		lines := strings.Split(strings.TrimPrefix(text, "\ufeff"), "\r\n")
		if want := `time,seconds,answer,probability,seen,Cat,"'=Dog;"""`; lines[0] != want {
			t.Errorf("head %s, want %s", lines[0], want)
		}
		if n := then.Log.State().Entries; len(lines) != n+2 || n < 20 || n > 24 {
			t.Errorf("%d lines of %d entries, want five a second of four", len(lines), n)
		}
		if want := "2000-01-01 "; !strings.HasPrefix(lines[1], want) || !strings.HasSuffix(lines[1], ",0.0,Cat,0.900,0,0.900,0.100") {
			t.Errorf("first line %s", lines[1])
		}
		s.SetLanguage(texts.In("de"))
		then.SaveLog("Protokoll")
		text = f.texts["Protokoll.csv"]
		if !strings.Contains(text, ";0,0;Cat;0,900;0;0,900;0,100\r\n") || !strings.Contains(text, ";Unbekannt;;1;0,100;0,100\r\n") {
			t.Errorf("in German %s", text)
		}
		then.Log.Clear()
		if got := then.Log.State(); got != (LogState{}) {
			t.Errorf("emptied: %+v", got)
		}
	})
}
