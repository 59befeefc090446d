package recognize

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"

	"github.com/deepemd/deepemd/core/gallery"
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
	raw = bytes.TrimSpace(raw)
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
		c, err := parseCandidate(line)
		if err != nil {
			return nil, fmt.Errorf("candidate %d is %.40s: %s", i+1, line, candidateForms)
		}
		list = append(list, c)
	}
	if len(list) == 0 {
		return nil, errors.New("no candidates: " + candidateForms)
	}
	return list, nil
}

var errNoCandidate = errors.New("neither an id nor a name")

// parseCandidate reads one candidate. Text that is not JSON is a name.
func parseCandidate(text []byte) (c candidate, err error) {
	var value any
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	if !json.Valid(text) || decoder.Decode(&value) != nil {
		if text[0] == '{' || text[0] == '"' {
			return c, errNoCandidate
		}
		return candidate{Name: string(text)}, nil
	}
	if object, ok := value.(map[string]any); ok {
		if value, ok = object["id"]; !ok {
			value, ok = object["name"].(string)
		}
		if !ok {
			return c, errNoCandidate
		}
	}
	switch v := value.(type) {
	case json.Number:
		id, err := strconv.ParseUint(v.String(), 10, 31)
		return candidate{ID: int(id)}, err
	case string:
		if v != "" {
			return candidate{Name: v}, nil
		}
	}
	return c, errNoCandidate
}

// picturesOf returns the numbers of the candidates in an index, without duplicates, in their order.
//
// # Errors
//
// Candidates that are not in the index, or are deleted, with the remedy.
func picturesOf(x *gallery.Index, list []candidate) ([]int, error) {
	byName := map[string]int{}
	for _, c := range list {
		if c.Name != "" {
			byName[c.Name] = -1
		}
	}
	if len(byName) > 0 {
		for i := range x.Len() {
			name := x.Name(i)
			if wanted, ok := byName[name]; ok && wanted < 0 && !x.Deleted(i) {
				byName[name] = i
			}
		}
	}
	const again = "was the database filled from this index, as it is now? `deepemd index --export` writes its content"
	var pictures []int
	seen := map[int]bool{}
	for _, c := range list {
		i := c.ID
		if c.Name != "" {
			i = byName[c.Name]
		}
		switch {
		case i < 0:
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
