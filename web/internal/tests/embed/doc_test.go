// Package embed tests the pages next to the studio: examples, guides and lessons, and the
// npm packages as a browser gets them from a server or a bundler.
//
// Each folder of testdata/apps is a project. The test copies it, over testdata/common,
// into a new folder, installs the packages there and opens what its package.json has a
// script for: "dev" serves at http://localhost:$PORT, "build" leaves a folder dist.
//
// The page has to set window.start, as testdata/common does: a function that makes an
// engine with the options given. A project with a check.js has no need to: the function
// in it is called in the page instead of what the test asks otherwise, and returns what
// is wrong, a list of texts.
//
// Tools and frameworks come from one folder, build/packages, which npm fills with the
// versions of tools/packages/package-lock.json. That takes a network the first time, so
// these tests run only where DEEPEMD_PACKAGES is set, as make test-all does.
package embed
