package recognize

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/deepemd/deepemd/core/gallery"
	"github.com/deepemd/deepemd/internal/folders"
	"github.com/deepemd/deepemd/internal/namedfile"
	"github.com/deepemd/deepemd/tools/deepemd/internal/verb"
)

// candidate is an image selected by a vector database: by its name, or by its id if the name is
// empty.
type candidate struct {
	ID   int
	Name string
}

const candidateForms = `want ids or names, one a line or as JSON: 17, "cats/4.jpg", {"id": 17} or {"name": "cats/4.jpg"}`

// parseCandidates reads one candidate per line, or a JSON array. Each is an id, a name, or an object
// with one of them; other fields are ignored.
//
// # Errors
//
// An invalid candidate, with its number; an empty list.
func parseCandidates(raw []byte) ([]candidate, error) {
	raw = bytes.TrimSpace(namedfile.WithoutMark(raw))
	lines := bytes.Split(raw, []byte("\n"))
	if bytes.HasPrefix(raw, []byte("[")) {
		var values []json.RawMessage
		if err := json.Unmarshal(raw, &values); err != nil {
			return nil, fmt.Errorf("%w: %s", err, candidateForms)
		}
		lines = lines[:0]
		for _, v := range values {
			lines = append(lines, v)
		}
	}
	var list []candidate
	for i, line := range lines {
		line = bytes.TrimSpace(line)
		if len(line) == 0 {
			continue
		}
		c, ok := parseCandidate(line)
		if !ok {
			return nil, fmt.Errorf("candidate %d is %.40s: %s", i+1, line, candidateForms)
		}
		list = append(list, c)
	}
	if len(list) == 0 {
		return nil, errors.New("no candidates: " + candidateForms)
	}
	return list, nil
}

// parseCandidate reads one candidate. Text that is not JSON is a name. ok reports whether it is an id or a name.
func parseCandidate(text []byte) (c candidate, ok bool) {
	var value any
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	if !json.Valid(text) || decoder.Decode(&value) != nil {
		return candidate{Name: string(text)}, text[0] != '{' && text[0] != '"'
	}
	if object, ok := value.(map[string]any); ok {
		if value, ok = object["id"]; !ok {
			value, ok = object["name"].(string)
		}
		if !ok {
			return c, false
		}
	}
	switch v := value.(type) {
	case json.Number:
		id, err := strconv.ParseUint(v.String(), 10, 31)
		return candidate{ID: int(id)}, err == nil
	case string:
		return candidate{Name: v}, v != ""
	}
	return c, false
}

// numbersOf returns the numbers of the pictures in an index that have the given names: exactly, or else as
// `deepemd index --export` or `deepemd search` writes them.
func numbersOf(x *gallery.Index, names []string) map[string]int {
	left, numbers := map[string]bool{}, map[string]int{}
	for _, name := range names {
		left[name] = true
	}
	for _, written := range []func(string) string{strings.Clone, folders.Text, verb.Printed} {
		if len(left) == 0 {
			break
		}
		for i := range x.Len() {
			if name := written(x.Name(i)); left[name] && !x.Deleted(i) {
				numbers[name] = i
				delete(left, name)
			}
		}
	}
	return numbers
}

// picturesOf returns the numbers of the candidates in an index, without duplicates, in their order.
//
// # Errors
//
// Candidates that are not in the index, or are deleted, with the remedy.
func picturesOf(x *gallery.Index, list []candidate) ([]int, error) {
	var names []string
	for _, c := range list {
		if c.Name != "" {
			names = append(names, c.Name)
		}
	}
	byName := numbersOf(x, names)
	const again = "was the database filled from this index, as it is now? `deepemd index --export` writes its content"
	var pictures []int
	seen := map[int]bool{}
	for _, c := range list {
		i, found := c.ID, true
		if c.Name != "" {
			i, found = byName[c.Name]
		}
		switch {
		case !found:
			return nil, fmt.Errorf("no picture is called %s: %s", c.Name, again)
		case i >= x.Len():
			return nil, fmt.Errorf("no picture %d, ids end at %d: %s", i, x.Len()-1, again)
		case x.Deleted(i):
			return nil, fmt.Errorf("picture %d (%s) was removed: %s", i, x.Name(i), again)
		}
		if !seen[i] {
			seen[i] = true
			pictures = append(pictures, i)
		}
	}
	return pictures, nil
}
