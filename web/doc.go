// Package web is the room of the studio and of everything that gives it to
// browsers. It holds no code itself.
//
//   - studio: the page's program, made of internal/session (what the page knows),
//     internal/view (what a person sees), internal/texts (every word, by its
//     name), internal/lessons and internal/browser (JavaScript)
//   - server: hands a built site to browsers
//   - site: the page before its program runs, the style sheets and the documentation
//   - publish: shared pages, the service worker, and a site for any file server
//   - languages: every word that a person reads, in a file for each language
//   - tests: open the built site in a browser and use it as a person would, by
//     way of internal/studiotest
//
// The folder static holds boot script and icons, and examples holds ordinary
// pages that use deepemd.js.
package web
