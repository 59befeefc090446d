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
		lines := strings.Split(text, "\r\n")
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
		if !strings.Contains(text, "\r\n2000-01-01 00:00:01,100;1,1;") || !strings.Contains(text, ";0,0;Cat;0,900;0;0,900;0,100\r\n") || !strings.Contains(text, ";Unbekannt;;1;0,100;0,100\r\n") {
			t.Errorf("in German %s", text)
		}
		s.Classes.Rename(kerneltest.IDs(s)[0], "Lion")
		s.Classes.Add() // not in the log
		then.SaveLog("Umbenannt")
		if head, _, _ := strings.Cut(f.texts["Umbenannt.csv"], "\r\n"); !strings.HasSuffix(head, `;Lion;"'=Dog;"""`) {
			t.Errorf("after renaming a class, the head is %s", head)
		}
		if _, rows := then.Log.Strip(); rows[0].Label != "Lion" {
			t.Errorf("after renaming a class, rows %+v", rows)
		}
		then.Log.Clear()
		if got := then.Log.State(); got != (LogState{}) {
			t.Errorf("emptied: %+v", got)
		}
		if spans, rows := then.Log.Strip(); len(spans)+len(rows) > 0 {
			t.Errorf("emptied: %+v, %+v", spans, rows)
		}
	})
}

// The strip has the last minute, without spans of no answer. Totals are sorted by time.
func TestStrip(t *testing.T) {
	l := &Log{Part: kernel.Part{K: kerneltest.New()}, subjects: func() []Named { return nil }}
	for _, id := range []string{"a", "b"} {
		l.name(Named{Subject: Subject{ClassID: id}, Label: id})
	}
	begin := time.Unix(1000, 0)
	for _, e := range []struct {
		at     int
		answer string
		seen   bool
	}{
		{0, "a", true}, {10, "a", true}, {11, "a", false}, {11, "b", true}, {13, "b", true}, {14, "", true}, {15, "b", false},
		{16, "b", false}, {19, "b", false}, {20, "a", true}, {21, "a", false}, {70, "a", false},
	} {
		l.entries = append(l.entries, LogEntry{At: begin.Add(time.Duration(e.at) * time.Second), Subject: Subject{ClassID: e.answer}, Seen: e.seen})
	}
	spans, _ := l.Strip()
	got := ""
	for _, s := range spans {
		got += fmt.Sprint(s.Label, " ", s.From.Sub(begin).Seconds(), "-", s.To.Sub(begin).Seconds(), " ", len(s.Seen), ", ")
	}
	if want := "a 10-11 1, b 11-14 2, b 15-16 0, b 19-20 0, a 20-21 1, a 70-70 0, "; got != want {
		t.Errorf("spans %s, want %s", got, want)
	}
	got = ""
	for _, total := range Totals(spans) {
		got += fmt.Sprint(total.Label, " ", total.Lasted, " ", total.Times, ", ")
	}
	if want := "b 5s 2, a 2s 2, "; got != want {
		t.Errorf("totals %s, want %s", got, want)
	}
}

// A long log drops its oldest entries.
func TestLongLog(t *testing.T) {
	l := &Log{Part: kernel.Part{K: kerneltest.New()}, on: true, subjects: func() []Named { return nil }}
	begin := time.Unix(1000, 0)
	at := func(i int) time.Time { return begin.Add(time.Duration(i) * logInterval) }
	for i := range maxEntries + 1 {
		l.add(kernel.Answer{}, at(i), false)
	}
	if n := len(l.entries); n > maxEntries || n < maxEntries/2 || !l.entries[n-1].At.Equal(at(maxEntries)) {
		t.Errorf("%d entries, the last at %v", n, l.entries[n-1].At)
	}
}
