package lessons

// The drawn characters are an excerpt of Omniglot (Lake, Salakhutdinov and Tenenbaum,
// "Human-level concept learning through probabilistic program induction", 2015), in one image,
// web/static/web/characters/characters.png: a row per character, a column per person who drew
// it.
const (
	// Side is the width and height of a drawing in pixels.
	Side = 105
	// Examples is the number of drawings of a character that are examples, each by another person.
	Examples = 5
	// Unseen is the number of drawings to test, by further people.
	Unseen = 4
	// Drawings is the number of drawings in a row: first the examples.
	Drawings = Examples + Unseen
)

// Alphabet is a set of characters to tell apart.
type Alphabet struct {
	ID     string   // on the page and in projects
	Name   string   // in the data set
	Labels []string // names of its characters in every language
}

// Alphabets are the rows of the image: the first five characters of each alphabet in the data set.
// Characters that a device's fonts may lack are labeled with their sound or name as well, or
// with a number if they have no known name.
var Alphabets = []Alphabet{
	{"korean", "Korean", []string{"a ㅏ", "ae ㅐ", "ya ㅑ", "yae ㅒ", "eo ㅓ"}},
	{"greek", "Greek", []string{"α", "β", "γ", "δ", "ε"}},
	{"katakana", "Japanese_katakana", []string{"a ア", "i イ", "u ウ", "e エ", "o オ"}},
	{"sanskrit", "Sanskrit", []string{"ka क", "kha ख", "ga ग", "gha घ", "nga ङ"}},
	{"aramaic", "Early_Aramaic", []string{"Alef", "Bet", "Gimel", "Dalet", "He"}},
	{"balinese", "Balinese", []string{"1", "2", "3", "4", "5"}},
	{"tagalog", "Tagalog", []string{"1", "2", "3", "4", "5"}},
	{"latin", "Latin", []string{"a", "b", "c", "d", "e"}},
}

// FindAlphabet returns the alphabet of an id, or the first, and the row of its first character.
func FindAlphabet(id string) (alphabet Alphabet, row int) {
	at := 0
	for _, a := range Alphabets {
		if a.ID == id {
			return a, at
		}
		at += len(a.Labels)
	}
	return Alphabets[0], 0
}
