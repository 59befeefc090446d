// Package web is the room of the studio and of everything that gives it to
// browsers. It holds no code itself.
//
//   - studio: the page's program, made of internal/session (what the page knows),
//     internal/view (what a person sees), internal/texts (every word, by its
//     name) and internal/browser (JavaScript)
//   - shell: the page before its program runs
//   - styles: the style sheets
//   - offline: the service worker
//   - server: hands a built site to browsers
//   - docs: the documentation, of Markdown
//   - lessons: which lessons there are, their notes for teachers, and the drawn characters
//   - hosting: makes a built site ready for any file server
//   - languages: every word that a person reads, in a file for each language
//   - player: the page that a project is shared as
//   - tests: open the built site in a browser and use it as a person would, by
//     way of internal/studiotest
//
// The folder static holds boot script and icons, and examples holds ordinary
// pages that use deepemd.js.
package web
