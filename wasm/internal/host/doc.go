// Package host answers what a page asks. A Host holds a learner (core/learner) and answers
// the requests of package protocol by it; there is no JavaScript here, so that it is tested
// natively.
package host
