package train

import (
	"bytes"
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/BurntSushi/toml"

	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/trainer/training"
)

// TestSettingsAreDocumented asserts that the trainer's manual lists every setting, with its defaults
// in pre-training and meta-training. A setting that one of them lacks has an empty cell.
func TestSettingsAreDocumented(t *testing.T) {
	manual := string(require.Value(os.ReadFile("../../../../trainer/README.md"))(t))
	names, pretrain, meta := []string{}, map[string]string{}, map[string]string{}
	for _, kind := range []struct {
		settings any
		defaults map[string]string
	}{{training.NewPretrain(), pretrain}, {training.NewMeta(), meta}} {
		defaultsOf(t, "", reflect.ValueOf(kind.settings).Elem(), func(name, value string) {
			if pretrain[name] == "" && meta[name] == "" {
				names = append(names, name)
			}
			kind.defaults[name] = value
		})
	}
	for _, name := range names {
		row := strings.ReplaceAll(fmt.Sprintf("\n| `%s` | %s | %s | ", name, pretrain[name], meta[name]), "|  |", "| |")
		if !strings.Contains(manual, row) {
			t.Errorf("trainer/README.md lacks the row%s… |", row)
		}
	}
	if len(names) < 60 {
		t.Errorf("only %d settings", len(names))
	}
}

// defaultsOf reports the settings in a struct and their values in TOML. Of a list of structs, such as
// the stages, it reports the settings of the first.
func defaultsOf(t *testing.T, prefix string, v reflect.Value, report func(name, value string)) {
	t.Helper()
	for i := range v.NumField() {
		name, options, _ := strings.Cut(v.Type().Field(i).Tag.Get("toml"), ",")
		field := v.Field(i)
		switch {
		case name == "-" || options == "omitzero" && field.IsZero():
		case name == "" && field.Kind() == reflect.Struct:
			defaultsOf(t, prefix, field, report)
		case name == "":
			t.Errorf("%s has no name in TOML", v.Type().Field(i).Name)
		case field.Kind() == reflect.Struct:
			defaultsOf(t, prefix+name+".", field, report)
		case field.Kind() == reflect.Slice && field.Type().Elem().Kind() == reflect.Struct:
			defaultsOf(t, prefix+name+".", field.Index(0), report)
		case field.Kind() == reflect.Slice && field.Len() == 0:
			report(prefix+name, "`[]`")
		default:
			var text bytes.Buffer
			require.NoError(t, toml.NewEncoder(&text).Encode(map[string]any{"x": field.Interface()}))
			report(prefix+name, "`"+strings.TrimPrefix(strings.TrimSpace(text.String()), "x = ")+"`")
		}
	}
}
