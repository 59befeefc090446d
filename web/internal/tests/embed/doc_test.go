// Package embed tests the pages next to the studio: examples, guides and lessons, and the npm
// packages from a server or a bundler.
//
// Each folder of testdata/apps is a project. The test copies it, over testdata/common, into a new
// folder, installs the packages there and runs a script of its package.json: "dev" serves at
// http://localhost:$PORT, "build" writes a folder dist.
//
// The page must set window.start, like testdata/common: a function that makes an engine with the
// given options. Projects with a check.js do not: the test calls its function in the page instead
// of asking questions. It returns a list of faults.
//
// Tools and frameworks come from build/packages, which npm fills with the versions of
// tools/packages/package-lock.json. The first installation needs a network, so these tests run only
// if DEEPEMD_PACKAGES is set, as in make test-all.
package embed
