// Package agree tests that one project answers the same wherever it is: in the studio,
// in the command, in the page that is shared of it, in a program for Node, and through
// core/learner.
package agree
