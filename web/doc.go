// Package web describes its folder: the studio, a page that learns and recognizes pictures. It has no code.
//
//   - studio: the page's program. internal/kernel holds the state, internal/view and
//     internal/ui the base components, internal/feature the features, internal/texts the
//     texts, internal/lessons the lessons, and internal/browser the bridge to JavaScript.
//     internal/kerneltest has the engine, camera and store of their tests.
//   - site: the page before its program runs, the style sheets and the documentation
//   - internal/tests: browser tests of the built site, with internal/studiotest
//
// The module's internal/server serves the built site, internal/publish exports shared pages,
// and internal/languages has the texts in all languages.
//
// The folder static holds the boot script and icons; examples holds ordinary pages that use
// deepemd.js.
package web
