package learner

import (
	"errors"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/core/imaging"
	"github.com/deepemd/deepemd/core/method"
	"github.com/deepemd/deepemd/internal/require"
)

func TestTeachMakesClassesAndIDs(t *testing.T) {
	l := require.Value(New(&fakeEncoder{}, Options{Kit: CommonParts()}))(t)
	if err := l.AddClass("class-1", "green"); err != nil { // an id that Add would choose
		t.Fatal(err)
	}
	require.Value(l.AddExample("class-1", "example-2", green))(t)
	for _, taught := range []struct {
		label   string
		picture Picture
	}{{"red", red}, {"blue", blue}, {"red", red}, {"green", green}} {
		require.NoError(t, l.Add(taught.label, taught.picture))
	}

	want := map[string][]string{
		"class-1 green": {"example-2", "example-5"},
		"class-2 red":   {"example-1", "example-4"},
		"class-3 blue":  {"example-3"},
	}
	classes := l.Classes()
	if len(classes) != len(want) {
		t.Fatalf("%d classes, want %d", len(classes), len(want))
	}
	for _, c := range classes {
		ids := want[c.ID+" "+c.Label]
		if len(c.Examples) != len(ids) {
			t.Fatalf("class %s %s has %d examples, want %v", c.ID, c.Label, len(c.Examples), ids)
		}
		for i, e := range c.Examples {
			if e.ID != ids[i] {
				t.Errorf("example %d of %s has id %q, want %q", i, c.Label, e.ID, ids[i])
			}
		}
	}
}

// A learner rejects ids and labels that project files cannot store, and is unchanged.
func TestTextsFitInFiles(t *testing.T) {
	l := require.Value(New(&fakeEncoder{}, Options{Kit: CommonParts()}))(t)
	require.NoError(t, l.AddClass("a", strings.Repeat("Ä", method.MaxText)))
	for _, text := range []string{strings.Repeat("z", method.MaxText+1), "cup \xff"} {
		wantCode(t, l.AddClass(text, "label"), CodeBadArgument)
		wantCode(t, l.AddClass("b", text), CodeBadArgument)
		wantCode(t, l.AddBackgroundClass("b", text), CodeBadArgument)
		wantCode(t, l.RenameClass("a", text), CodeBadArgument)
		wantCode(t, l.Add(text, red), CodeBadArgument)
		_, err := l.AddExample("a", text, red)
		wantCode(t, err, CodeBadArgument)
		_, err = NewFromFeatures(Shape{Name: text}, Options{})
		wantCode(t, err, CodeBadArgument)
	}
	if classes := l.Classes(); len(classes) != 1 || len(classes[0].Examples) != 0 || len(classes[0].Label) != 2*method.MaxText {
		t.Errorf("a failure left %+v", classes)
	}
}

func TestTeachFailsWhole(t *testing.T) {
	l := require.Value(New(&fakeEncoder{}, Options{Kit: CommonParts()}))(t)
	require.NoError(t, l.Add("red", red))
	var failure *Error
	for _, label := range []string{"red", "broken"} {
		if err := l.Add(label, Picture{Data: []byte("no picture")}); !errors.As(err, &failure) || failure.Code != CodeBadImage {
			t.Errorf("%q: %v, want code %s", label, err, CodeBadImage)
		}
	}
	if classes := l.Classes(); len(classes) != 1 || len(classes[0].Examples) != 1 {
		t.Errorf("a failure left %+v", classes)
	}
}

// Other calls embed and match while a file is decoded, which may take longer.
func TestDecodingDoesNotLock(t *testing.T) {
	var l *Learner
	heard := 0
	l = newEngine(t, Options{Hearing: func(Picture) (*imaging.Image, []float32, error) {
		heard++
		lock := l.Model().net.workspace
		if !lock.TryLock() {
			t.Fatal("other calls wait for the decoder")
		}
		lock.Unlock()
		return &imaging.Image{Width: 8, Height: 8, Pix: plain(200, 10, byte(heard), 8, 8).Data}, nil, nil
	}})
	recording, samples := Picture{Data: []byte("recording")}, Picture{Samples: []float32{1}, Rate: 16000}
	require.NoError(t, l.Add("a", recording))
	require.NoError(t, l.Add("a", samples))
	require.NoError(t, l.AddBackground(recording))
	require.Value(l.AddExample("class-1", "id", recording))(t)
	require.Value(l.Model().Classify(recording))(t)
	require.Value(l.Embed(recording))(t)
	crops := require.Value(l.WithMethod(method.Method{Embedder: method.Embedder{Kind: "grid"}}))(t)
	require.Value(crops.Inputs(recording))(t)
	if heard != 7 {
		t.Errorf("%d of 7 calls heard a recording", heard)
	}
}
