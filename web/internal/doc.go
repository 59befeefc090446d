// Package internal is the room of the studio, the folder web. It holds no code itself.
//
//   - studio: the page's program, made of internal/kernel (what the page knows),
//     internal/view and internal/ui (what a person sees), internal/feature (what is added to
//     them), internal/texts (every word, by its
//     name), internal/lessons and internal/browser (JavaScript); internal/kerneltest
//     has the engine, camera and store of its tests
//   - site: the page before its program runs, the style sheets and the documentation
//   - internal/tests: open the built site in a browser and use it as a person would,
//     by way of internal/studiotest
//
// What gives the built site to browsers is in internal/server and internal/publish of the
// module, and every word that a person reads in internal/languages.
//
// The folder static holds boot script and icons, and examples holds ordinary
// pages that use deepemd.js.
package internal
