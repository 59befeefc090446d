package vectors

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/deepemd/deepemd/core/gallery"
)

// Candidate is a picture that a store chose: by its id, or by its name where that is not
// empty.
type Candidate struct {
	ID   int
	Name string
}

// String is the candidate as a list has it.
func (c Candidate) String() string {
	if c.Name != "" {
		return c.Name
	}
	return strconv.Itoa(c.ID)
}

const forms = `want ids or names, as JSON, [17, "cats/4.jpg"], or one a line`

// ParseCandidates reads a list of candidates: JSON, in which whole numbers are ids and
// strings are names, or text with one a line, in which what is a whole number is an id.
//
// # Errors
//
// A list of another form, with the place; one without candidates.
func ParseCandidates(raw []byte) ([]Candidate, error) {
	raw = bytes.TrimSpace(raw)
	var list []Candidate
	var err error
	if bytes.HasPrefix(raw, []byte("[")) {
		list, err = parseJSON(raw)
	} else {
		list, err = parseLines(raw)
	}
	if err == nil && len(list) == 0 {
		err = errors.New("no candidates: " + forms)
	}
	return list, err
}

func parseJSON(raw []byte) ([]Candidate, error) {
	var values []json.RawMessage
	if err := json.Unmarshal(raw, &values); err != nil {
		return nil, fmt.Errorf("%w: %s", err, forms)
	}
	list := make([]Candidate, len(values))
	for i, v := range values {
		c := &list[i]
		if v[0] == '"' {
			if err := json.Unmarshal(v, &c.Name); err != nil {
				return nil, fmt.Errorf("candidate %d: %w", i+1, err)
			}
			if c.Name == "" {
				return nil, fmt.Errorf("candidate %d is an empty name: %s", i+1, forms)
			}
			continue
		}
		id, err := strconv.ParseUint(string(v), 10, 31)
		if err != nil {
			return nil, fmt.Errorf("candidate %d is %.40s: %s", i+1, v, forms)
		}
		c.ID = int(id)
	}
	return list, nil
}

func parseLines(raw []byte) ([]Candidate, error) {
	var list []Candidate
	for i, line := range strings.Split(string(raw), "\n") {
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		if strings.HasPrefix(line, "{") {
			return nil, fmt.Errorf("line %d is a JSON object: %s", i+1, forms)
		}
		if id, err := strconv.ParseUint(line, 10, 31); err == nil {
			list = append(list, Candidate{ID: int(id)})
		} else {
			list = append(list, Candidate{Name: line})
		}
	}
	return list, nil
}

// Pictures are the numbers of candidates in an index, each once, in their order.
//
// # Errors
//
// Candidates that are not in the index, or no longer, with the remedy.
func Pictures(x *gallery.Index, list []Candidate) ([]int, error) {
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
	const again = "is the store filled from this index, as it is now? `deepemd index --export` writes what it has"
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
			return nil, fmt.Errorf("picture %d (%s) was taken out: %s", i, x.Name(i), again)
		}
		if !seen[i] {
			seen[i] = true
			pictures = append(pictures, i)
		}
	}
	return pictures, nil
}
