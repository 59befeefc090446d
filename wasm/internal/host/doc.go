// Package host answers the requests of a page. A Host has a learner (core/learner) and implements the
// requests of package protocol with it. It has no JavaScript, so that it can be tested natively.
package host
