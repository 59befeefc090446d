package weights

import (
	"errors"
	"fmt"
	"maps"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Keys of the safetensors metadata.
const (
	keyArch      = "arch"
	keyWidths    = "widths"
	keyInputSize = "input_size"
	keyMean      = "mean"
	keyStd       = "std"
	keyTrainedOn = "trained_on"
	keyClasses   = "classes"
	keyName      = "name"
	keyAssumed   = "assumed"
)

// Values of Meta.Assumed.
const (
	AssumedMean = keyMean
	AssumedStd  = keyStd
)

// Limits for files: sufficient for any network of this kind, but a hostile file cannot request
// excessive memory.
const (
	MaxWidth     = 1 << 13 // channels per block
	MaxInputSize = 1 << 10 // pixels
	minInputSize = 16      // four max-pools by 2 leave one position
	maxWidths    = 32
)

// Validate returns an error unless m has all data for building and using a network.
//
// # Errors
//
// The first value that is absent or out of range, with the remedy.
func (m Meta) Validate() error {
	if m.Arch == "" {
		return missing(keyArch, `"resnet12"`)
	}
	if len(m.Widths) == 0 {
		return missing(keyWidths, `"64,160,320,640"`)
	}
	if m.Arch == "resnet12" && len(m.Widths) != 4 {
		return fmt.Errorf("metadata widths %v: want four, one per block", m.Widths)
	}
	if len(m.Widths) > maxWidths {
		return fmt.Errorf("metadata widths: %d of them, want %d at most", len(m.Widths), maxWidths)
	}
	for _, w := range m.Widths {
		if w < 1 || w > MaxWidth {
			return fmt.Errorf("metadata widths %v: want channels from 1 to %d", m.Widths, MaxWidth)
		}
	}
	if m.InputSize == 0 {
		return missing(keyInputSize, `"84"`)
	}
	if m.InputSize < minInputSize || m.InputSize > MaxInputSize {
		return fmt.Errorf("metadata input_size %d: want pixels from %d to %d", m.InputSize, minInputSize, MaxInputSize)
	}
	if m.Std == ([3]float32{}) {
		return missing(keyStd, `"0.229,0.224,0.225"`)
	}
	if err := CheckNormalization(m.Mean, m.Std); err != nil {
		return fmt.Errorf("metadata %w", err)
	}
	for _, fact := range m.Assumed {
		if fact != AssumedMean && fact != AssumedStd {
			return fmt.Errorf("metadata assumed %.40q: want %s, %s or both", fact, AssumedMean, AssumedStd)
		}
	}
	for key := range m.Extra {
		switch key {
		case keyArch, keyWidths, keyInputSize, keyMean, keyStd, keyTrainedOn, keyClasses, keyName, keyAssumed:
			return fmt.Errorf("metadata extra entry %q has its own field: set that instead", key)
		}
	}
	for key, value := range m.Entries() {
		if !utf8.ValidString(key) || !utf8.ValidString(value) {
			return fmt.Errorf("metadata %.40q is not UTF-8", key)
		}
	}
	return nil
}

func missing(key, example string) error {
	return fmt.Errorf("metadata lacks %s (such as %s): convert the file with `deepemd import`, which writes it", key, example)
}

// CheckNormalization returns an error for an invalid mean or standard deviation of images, whose
// values are from 0 to 1.
func CheckNormalization(mean, std [3]float32) error {
	const remedy = "divide numbers for pixels of 0 to 255 by 255"
	for c := range 3 {
		if !(mean[c] >= 0 && mean[c] <= 1) {
			return fmt.Errorf("mean %s: want numbers from 0 to 1: %s", join(mean[:], formatFloat), remedy)
		}
		if !(std[c] > 0 && std[c] <= 1) {
			return fmt.Errorf("std %s: want numbers above 0, up to 1: %s", join(std[:], formatFloat), remedy)
		}
	}
	return nil
}

// Entries returns m as a file's metadata. Numbers have the shortest form that parses to the same
// value.
func (m Meta) Entries() map[string]string {
	entries := make(map[string]string, len(m.Extra)+9)
	maps.Copy(entries, m.Extra)
	put := func(key, value string) {
		if value != "" {
			entries[key] = value
		}
	}
	put(keyArch, m.Arch)
	put(keyWidths, join(m.Widths, strconv.Itoa))
	put(keyInputSize, strconv.Itoa(m.InputSize))
	put(keyMean, join(m.Mean[:], formatFloat))
	put(keyStd, join(m.Std[:], formatFloat))
	put(keyTrainedOn, m.TrainedOn)
	if len(m.Classes) > 0 {
		put(keyClasses, formatTexts(m.Classes))
	}
	put(keyName, m.Name)
	put(keyAssumed, strings.Join(m.Assumed, ","))
	return entries
}

// ParseMeta parses metadata as returned by Entries. Absent entries have zero fields; malformed ones
// are errors.
func ParseMeta(entries map[string]string) (Meta, error) {
	var m Meta
	for key, value := range entries {
		var err error
		switch key {
		case keyArch:
			m.Arch = value
		case keyWidths:
			m.Widths, err = parseInts(value)
		case keyInputSize:
			m.InputSize, err = strconv.Atoi(value)
		case keyMean:
			m.Mean, err = ParseRGB(value)
		case keyStd:
			m.Std, err = ParseRGB(value)
		case keyTrainedOn:
			m.TrainedOn = value
		case keyClasses:
			m.Classes, err = parseTexts(value)
		case keyName:
			m.Name = value
		case keyAssumed:
			m.Assumed = parseFacts(value)
		default:
			if m.Extra == nil {
				m.Extra = make(map[string]string)
			}
			m.Extra[key] = value
		}
		if err != nil {
			return Meta{}, fmt.Errorf("metadata %s %.40q: %w", key, value, cause(err))
		}
	}
	return m, nil
}

// ParseRGB parses three comma-separated numbers, such as a mean or standard deviation of RGB:
// "0.485,0.456,0.406".
func ParseRGB(s string) ([3]float32, error) {
	var rgb [3]float32
	fields := strings.Split(s, ",")
	if len(fields) != 3 {
		return rgb, fmt.Errorf("want three numbers separated by commas (red, green, blue), got %d", len(fields))
	}
	for i, field := range fields {
		v, err := strconv.ParseFloat(strings.TrimSpace(field), 32)
		if err != nil {
			return rgb, fmt.Errorf("%.20q: %w", field, cause(err))
		}
		rgb[i] = float32(v)
	}
	return rgb, nil
}

func parseInts(s string) ([]int, error) {
	var ints []int
	for field := range strings.SplitSeq(s, ",") {
		v, err := strconv.Atoi(strings.TrimSpace(field))
		if err != nil {
			return nil, fmt.Errorf("%.20q: %w", field, cause(err))
		}
		ints = append(ints, v)
	}
	return ints, nil
}

// parseFacts parses comma-separated names, nil if empty.
func parseFacts(s string) []string {
	if s == "" {
		return nil
	}
	facts := strings.Split(s, ",")
	for i, fact := range facts {
		facts[i] = strings.TrimSpace(fact)
	}
	return facts
}

// formatTexts returns a JSON list of strings.
func formatTexts(texts []string) string {
	quoted := make([]string, len(texts))
	for i, text := range texts {
		quoted[i] = quote(strings.ToValidUTF8(text, "\uFFFD"))
	}
	return "[" + strings.Join(quoted, ",") + "]"
}

// parseTexts parses a JSON list of strings, nil if empty.
func parseTexts(s string) ([]string, error) {
	var texts []string
	scan := scanner{text: []byte(s)}
	err := scan.list('[', ']', func() error {
		text, err := scan.string()
		texts = append(texts, text)
		return err
	})
	if err != nil || scan.peek() != 0 || scan.at < len(s) {
		return nil, errors.New("want a JSON list of strings")
	}
	return texts, nil
}

// cause removes the name of the parsing function from an error of strconv.
func cause(err error) error {
	if number, ok := errors.AsType[*strconv.NumError](err); ok {
		return number.Err
	}
	return err
}

func formatFloat(v float32) string { return strconv.FormatFloat(float64(v), 'g', -1, 32) }

func join[T any](values []T, format func(T) string) string {
	texts := make([]string, len(values))
	for i, v := range values {
		texts[i] = format(v)
	}
	return strings.Join(texts, ",")
}
