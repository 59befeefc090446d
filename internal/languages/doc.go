// Package languages holds every word of the studio, of shared pages and of the element
// <deep-emd>: one file for each language, such as en.json.
//
// # Adding a language
//
// Copy en.json to the language's code, such as fr.json, translate it, and run
//
//	go generate ./internal/languages
//	go run ./tools/languages -check
//	go test ./web/internal/texts
//
// Nothing else names the language: the settings, the page before its program runs, shared
// pages, the element and the command all list the files. The checks name what is missing,
// what is left in English, and what a message does with its arguments. A text that is
// missing is shown in English.
//
// # Messages
//
// A message is plain text or uses a part of ICU MessageFormat, which translators' tools know:
//
//	{name}                                        what the page puts there
//	{n, number}                                   in en.json: it is a whole number
//	{n, decimal}                                  in en.json: it is a number with decimals
//	{name, verbatim}                              without invisible characters (see below)
//	{n, plural, one {# picture} other {# pictures}} by the language's own plural forms
//	{n, plural, =0 {none} one {one} other {#}}    and for exact numbers
//
// In a plural form, # is the number. Which forms a language has is CLDR's to say: English
// has one and other, Polish one, few and many besides. The form other is always needed.
// An apostrophe is an apostrophe: write the typographic one, ’, before a brace.
//
// A name that runs from right to left in a sentence that runs the other way is set apart by
// the invisible characters that Unicode has for it, so that the rest keeps its place.
//
// # The files
//
// A file has sections, for the parts of the page: notes.txt says where texts are seen whose names
// do not. The section sounds says other words for pages of sounds, by the same names. The section
// player is what shared pages say, element what the element says; number and list say how the
// language writes numbers and lists, and serve all three. What en.json has is declared for the
// studio in web/internal/texts/words.go, which is generated.
package languages

//go:generate go run ../../tools/languages
