// Package release holds what a release must keep, as tests: the command, the
// engine, the JavaScript package and the change log name one version; what go get
// downloads stays small; and a module elsewhere that downloads this one builds
// and runs the example of package learner.
package release
