package method_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/core/method"
	"github.com/deepemd/deepemd/internal/bombs"
	"github.com/deepemd/deepemd/internal/require"
)

func TestParse(t *testing.T) {
	const usual = "embedder=fcn classifier=mixture weighting=cross-reference solver=simplex temperature=12.5 balance=on strangers=0.42"
	for text, want := range map[string]string{
		"":                             usual,
		"  balance=on ":                usual,
		"pyramid=2,1":                  strings.Replace(usual, "fcn", "fcn pyramid=2,1", 1),
		"embedder=grid":                strings.Replace(usual, "fcn", "grid grid=2,3 ratio=2", 1),
		"ratio=3 grid=5 embedder=grid": strings.Replace(usual, "fcn", "grid grid=5 ratio=3", 1),
		"embedder=grid grid=5":         strings.Replace(usual, "fcn", "grid grid=5 ratio=2", 1),
		"embedder=sampling seed=7":     strings.Replace(usual, "fcn", "sampling patches=9 seed=7", 1),
		"classifier=sfc:10":            strings.Replace(usual, "mixture", "sfc:10", 1),
		"classifier=dn4":               strings.Replace(usual, "mixture", "dn4", 1),
		"solver=sinkhorn:0.5":          strings.Replace(usual, "simplex", "sinkhorn:0.5", 1),
		"weighting=k-means:25":         strings.Replace(usual, "cross-reference", "k-means:25", 1),
		"weighting=mean-shift:+Inf":    strings.Replace(usual, "cross-reference", "mean-shift:+Inf", 1),
		"temperature=3 balance=off":    strings.Replace(usual, "12.5 balance=on", "3 balance=off", 1),
		"strangers=off":                strings.Replace(usual, "strangers=0.42", "strangers=off", 1),
		"strangers=off strangers=1":    strings.Replace(usual, "strangers=0.42", "strangers=1", 1),
		"strangers=on":                 usual,
		"pyramid=32":                   strings.Replace(usual, "fcn", "fcn pyramid=32", 1),
		"embedder=grid grid=32":        strings.Replace(usual, "fcn", "grid grid=32 ratio=2", 1),
		"embedder=grid ratio=64":       strings.Replace(usual, "fcn", "grid grid=2,3 ratio=64", 1),
		"embedder=sampling patches=1024 seed=18446744073709551615": strings.Replace(usual, "fcn", "sampling patches=1024 seed=18446744073709551615", 1),
		"weighting=k-means:4096":                                   strings.Replace(usual, "cross-reference", "k-means:4096", 1),
		"strangers=0 temperature=1000":                             strings.Replace(strings.Replace(usual, "0.42", "0", 1), "12.5", "1000", 1),
	} {
		if m, err := method.Parse(text); err != nil || m.String() != want {
			t.Errorf("%q: %v, %v; want %s", text, m, err, want)
		}
	}
	for text, want := range map[string]string{
		"prototype":                           "want name=value",
		"color=red":                           `no setting "color"`,
		"embedder=eye":                        `no embedder "eye": want fcn, grid or sampling`,
		"classifier=magic":                    `no classifier "magic": want mixture, prototype, sfc (or sfc:100), nearest`,
		"classifier=sfc:0":                    "a learning rate above zero after the colon, such as sfc:100",
		"classifier=dn4:3":                    "dn4 takes no parameter",
		"weighting=equal:2":                   "equal takes no parameter",
		"weighting=k-means":                   "such as k-means:5",
		"weighting=k-means:0":                 "such as k-means:5",
		"weighting=k-means:2.5":               "such as k-means:5",
		"weighting=mean-shift:":               "such as mean-shift:2.5",
		"weighting=mean-shift:NaN":            "such as mean-shift:2.5",
		"weighting=heavy":                     "k-means:5 or mean-shift (or mean-shift:2.5)",
		"solver=simplex:1":                    "simplex takes no parameter",
		"solver=sinkhorn:0":                   "a strength above zero",
		"solver=interior:Inf":                 "a strength above zero",
		"temperature=0":                       "temperature 0",
		"temperature=NaN":                     "temperature NaN",
		"temperature=hot":                     "want a number",
		"balance=maybe":                       "want on or off",
		"strangers=2":                         "strictness 2",
		"pyramid=a":                           "want a number",
		"pyramid=2,0":                         "pyramid level 0",
		"grid=2":                              "a grid goes with the embedder grid, not with fcn",
		"embedder=grid pyramid=2":             "a pyramid goes with the embedder fcn, not with grid",
		"embedder=sampling ratio=2":           "a ratio goes with the embedder grid",
		"embedder=grid grid=32,32":            "have 2048 cells",
		"embedder=grid ratio=-2":              "ratio -2 of crop to cell",
		"embedder=sampling patches=-3":        "-3 patches of a picture",
		"classifier=sfc weighting=mean-shift": "merge them: replace one of the two",
		"classifier=sfc weighting=k-means:2":  "merge them: replace one of the two",
		"weighting=k-means:4097":              "such as k-means:5",
		"temperature=1001":                    "temperature 1001",
		"strangers=maybe":                     "want on, off or a number",
		"pyramid=33":                          "pyramid level 33",
		"embedder=grid grid=0,2":              "grid of 0×0 cells",
		"embedder=grid grid=33":               "grid of 33×33 cells",
		"embedder=grid ratio=65":              "ratio 65 of crop to cell",
		"embedder=sampling patches=1025":      "1025 patches of a picture",
	} {
		if m, err := method.Parse(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, error %v, want one that says %q", text, m, err, want)
		}
	}
}

// TestTables checks that every listed name parses, that each list starts with the default,
// and that Default and Paper are valid.
func TestTables(t *testing.T) {
	for _, table := range []struct {
		setting string
		names   []method.Name
		first   string
	}{
		{"embedder", method.Embedders(), method.Default().Embedder.Kind},
		{"classifier", method.Classifiers(), method.Default().Classifier},
		{"weighting", method.Weightings(), method.Default().Weighting},
		{"solver", method.Solvers(), method.Default().Solver},
	} {
		if table.names[0].Name != table.first {
			t.Errorf("%s: the first is %q, the default %q", table.setting, table.names[0].Name, table.first)
		}
		for _, n := range table.names {
			text := n.Name
			if text == method.KMeans {
				text += ":5"
			}
			if _, err := method.Parse(table.setting + "=" + text); err != nil || n.What == "" {
				t.Errorf("%s %+v: %v", table.setting, n, err)
			}
		}
	}
	for _, m := range []method.Method{method.Default(), method.Paper()} {
		if err := m.Validate(); err != nil || m.IsZero() {
			t.Errorf("%v: %v", m, err)
		}
	}
	if m := (method.Method{Classifier: method.SFC}).Complete(); m.Classifier != "sfc:100" {
		t.Errorf("the layer without a rate is completed to %s", m.Classifier)
	}
	completed := method.Method{}.Complete()
	completed.Balance, completed.Strangers = method.Default().Balance, method.Default().Strangers
	if !completed.Equal(method.Default()) {
		t.Errorf("the zero method completed is %v", completed)
	}
}

// Methods that differ in any setting are not equal.
func TestEqual(t *testing.T) {
	var fields func(v reflect.Value, check func())
	fields = func(v reflect.Value, check func()) {
		before := reflect.New(v.Type()).Elem()
		before.Set(v)
		switch v.Kind() {
		case reflect.Struct:
			for i := range v.NumField() {
				fields(v.Field(i), check)
			}
			return
		case reflect.String:
			v.SetString("other")
		case reflect.Bool:
			v.SetBool(!v.Bool())
		case reflect.Int:
			v.SetInt(77)
		case reflect.Uint64:
			v.SetUint(77)
		case reflect.Float64:
			v.SetFloat(77)
		case reflect.Slice:
			v.Set(reflect.ValueOf([]int{7, 7}))
		}
		check()
		v.Set(before)
	}
	for _, m := range []method.Method{method.Default(), {}} {
		other := m
		if !other.Equal(m) {
			t.Errorf("%v is not equal to itself", m)
		}
		fields(reflect.ValueOf(&other).Elem(), func() {
			if other.Equal(m) || m.Equal(other) {
				t.Errorf("%+v equals %+v", other, m)
			}
		})
	}
}

// FuzzParse checks that a method survives conversion to text and to JSON.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{"", "embedder=grid grid=1,2 ratio=1.5", "solver=interior:1e-9 strangers=1", "weighting=k-means:3 balance=off", "a:b=c"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var m method.Method
		var err error
		bombs.Budget(t, 1<<20, 1024, len(text), func() { m, err = method.Parse(text) })
		if err != nil {
			return
		}
		if again, err := method.Parse(m.String()); err != nil || !again.Equal(m) {
			t.Errorf("%q is %v, which parses as %v, %v", text, m, again, err)
		}
		written := require.Value(json.Marshal(m))(t)
		var read method.Method
		if err := json.Unmarshal(written, &read); err != nil || !reflect.DeepEqual(read, m) {
			t.Errorf("%s is read as %+v, %v", written, read, err)
		}
	})
}

func ExampleParse() {
	m, err := method.Parse("classifier=nearest strangers=off")
	fmt.Println(m, err)
	// Output: embedder=fcn classifier=nearest weighting=cross-reference solver=simplex temperature=12.5 balance=on strangers=off <nil>
}

func ExampleDefault() {
	text, _ := json.Marshal(method.Default())
	fmt.Println(string(text))
	// Output: {"embedder":{"kind":"fcn"},"classifier":"mixture","weighting":"cross-reference","solver":"simplex","temperature":12.5,"balance":true,"strangers":{"name":true,"strictness":0.42}}
}
