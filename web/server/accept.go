package server

import (
	"strconv"
	"strings"
)

// negotiate returns the encoding in which a browser with the given Accept-Encoding header
// (RFC 9110, section 12.5.3) wants a file most, of those that are available; "" stands for
// the file itself. Of encodings that are wanted alike it is the smaller one. It reports
// false if the header refuses all of them.
func negotiate(accept string, available map[string]body) (string, bool) {
	wishes := parseAccept(accept)
	best, most := "", -1. // of what is worth anything
	consider := func(name string, weight float64) {
		if weight > most && weight > 0 {
			best, most = name, weight
		}
	}
	all, any := wishes["*"]
	for _, e := range encodings {
		if _, ok := available[e.name]; !ok {
			continue
		}
		if weight, ok := wishes[e.name]; ok {
			consider(e.name, weight)
		} else if any {
			consider(e.name, all)
		}
	}
	switch weight, ok := wishes["identity"]; {
	case ok:
		consider("", weight)
	case any:
		consider("", all)
	case most < 0:
		return "", true // the file itself, unless that was refused
	}
	return best, most > 0
}

// parseAccept returns the weights, from 0 (refused) to 1, of the encodings that a header
// names. What RFC 9110 does not know is left out, as if it had not been named; of
// what is named twice the lower weight counts.
func parseAccept(accept string) map[string]float64 {
	wishes := map[string]float64{}
	for part := range strings.SplitSeq(accept, ",") {
		name, parameter, weighted := strings.Cut(part, ";")
		name = strings.ToLower(strings.Trim(name, " \t"))
		weight := 1.
		if weighted {
			var ok bool
			if weight, ok = parseWeight(strings.Trim(parameter, " \t")); !ok {
				continue
			}
		}
		if name == "x-gzip" {
			name = "gzip"
		}
		if old, twice := wishes[name]; twice {
			weight = min(weight, old)
		}
		wishes[name] = weight
	}
	return wishes
}

// parseWeight reads "q=" and a number from 0 to 1 of at most three decimals.
func parseWeight(s string) (float64, bool) {
	number, ok := strings.CutPrefix(strings.ToLower(s), "q=")
	if !ok || len(number) > len("0.000") || strings.Trim(number, "0123456789.") != "" {
		return 0, false
	}
	weight, err := strconv.ParseFloat(number, 64)
	return weight, err == nil && weight <= 1
}
