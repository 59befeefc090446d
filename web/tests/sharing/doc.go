// Package sharing tests handing a project to others: that a shared page is small, answers
// as the studio does, also about what is none of its classes, and goes through the system's
// share sheet where there is one.
package sharing
