package weights

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// A weights file uses a small part of JSON: objects, lists, strings and integers. encoding/json
// would enlarge the WebAssembly engine by an eighth; tests compare with it.

// scanner parses JSON strictly, value by value.
type scanner struct {
	text []byte
	at   int
}

// errorf returns an error with the position.
func (s *scanner) errorf(format string, args ...any) error {
	return fmt.Errorf("header, byte %d: %s: not a safetensors file, or a damaged one", s.at, fmt.Sprintf(format, args...))
}

// peek returns the next character except white space, or 0 at the end.
func (s *scanner) peek() byte {
	for s.at < len(s.text) {
		switch c := s.text[s.at]; c {
		case ' ', '\t', '\r', '\n':
			s.at++
		default:
			return c
		}
	}
	return 0
}

// skip reads the character c.
func (s *scanner) skip(c byte) error {
	if got := s.peek(); got != c {
		return s.errorf("want %q, found %q", c, got)
	}
	s.at++
	return nil
}

// list parses comma-separated items between open and close; item parses one.
func (s *scanner) list(open, close byte, item func() error) error {
	if err := s.skip(open); err != nil {
		return err
	}
	if s.peek() == close {
		s.at++
		return nil
	}
	for {
		if err := item(); err != nil {
			return err
		}
		if s.peek() != ',' {
			return s.skip(close)
		}
		s.at++
	}
}

// object parses an object; value parses the value of a key. Duplicate keys are an error.
func (s *scanner) object(value func(key string) error) error {
	seen := make(map[string]bool)
	return s.list('{', '}', func() error {
		key, err := s.string()
		if err != nil {
			return err
		}
		if seen[key] {
			return s.errorf("%.60q is a duplicate", key)
		}
		seen[key] = true
		if err := s.skip(':'); err != nil {
			return err
		}
		return value(key)
	})
}

// integers parses an array of integers.
func (s *scanner) integers() ([]int, error) {
	values := []int{}
	err := s.list('[', ']', func() error {
		v, err := s.integer()
		values = append(values, v)
		return err
	})
	return values, err
}

// integer parses an integer ≥ 0.
func (s *scanner) integer() (int, error) {
	first := s.peek()
	start := s.at
	for s.at < len(s.text) && '0' <= s.text[s.at] && s.text[s.at] <= '9' {
		s.at++
	}
	v, err := strconv.Atoi(string(s.text[start:s.at]))
	switch {
	case s.at == start:
		return 0, s.errorf("want an integer ≥ 0, found %q", first)
	case err != nil:
		return 0, s.errorf("a number is too large")
	case first == '0' && s.at > start+1:
		return 0, s.errorf("a number starts with 0")
	}
	return v, nil
}

// string parses a string.
func (s *scanner) string() (string, error) {
	if err := s.skip('"'); err != nil {
		return "", err
	}
	var text []byte
	for s.at < len(s.text) {
		switch c := s.text[s.at]; {
		case c == '"':
			s.at++
			if !utf8.Valid(text) {
				return "", s.errorf("a string is not UTF-8")
			}
			return string(text), nil
		case c == '\\':
			r, err := s.escape()
			if err != nil {
				return "", err
			}
			text = utf8.AppendRune(text, r)
		case c < ' ':
			return "", s.errorf("a string contains the control character %q", c)
		default:
			text = append(text, c)
			s.at++
		}
	}
	return "", s.errorf("a string has no end")
}

// escapes are the characters that stand for those of escaped after a backslash.
const escapes, escaped = `"\/bfnrt`, "\"\\/\b\f\n\r\t"

// escape parses an escape sequence. Like encoding/json it replaces half of a surrogate pair by
// U+FFFD.
func (s *scanner) escape() (rune, error) {
	if s.at+1 >= len(s.text) {
		return 0, s.errorf("a string has no end")
	}
	s.at += 2
	c := s.text[s.at-1]
	if i := strings.IndexByte(escapes, c); i >= 0 {
		return rune(escaped[i]), nil
	}
	if c != 'u' {
		return 0, s.errorf("a string has an unknown escape")
	}
	r, ok := hex4(s.text[s.at:])
	if !ok {
		return 0, s.errorf("\\u without four hexadecimal digits")
	}
	s.at += 4
	if rest, ok := bytes.CutPrefix(s.text[s.at:], []byte(`\u`)); ok {
		low, _ := hex4(rest)
		if pair := utf16.DecodeRune(r, low); pair != utf8.RuneError {
			s.at += 6
			return pair, nil
		}
	}
	return r, nil
}

// hex4 returns the value of four hexadecimal digits.
func hex4(text []byte) (rune, bool) {
	if len(text) < 4 {
		return 0, false
	}
	r, err := strconv.ParseUint(string(text[:4]), 16, 16)
	return rune(r), err == nil
}

// quote returns the JSON of a valid UTF-8 string.
func quote(s string) string {
	text := []byte{'"'}
	for i := range len(s) {
		switch c := s[i]; {
		case c == '"' || c == '\\':
			text = append(text, '\\', c)
		case c < ' ':
			text = fmt.Appendf(text, `\u%04x`, c)
		default:
			text = append(text, c)
		}
	}
	return string(append(text, '"'))
}
