// Package release tests the properties of a release: the command, the engine, the JavaScript package
// and the change log have the same version; the download of go get is small; and another module can
// download this one and run the example of package learner.
package release
