// Package openset tells pictures of the taught classes from pictures of anything
// else, by the examples alone. It leaves out each example in turn and scores it
// against its own class and the others (LeaveOneOut). From these scores every class
// gets a scale (Calibrate), on which 0 is as similar as other things are and 1 as
// similar as the class's own examples.
//
// A class of one example has none to leave out: a prior stands in, measured on
// classes that the network was not trained with (Prior). The same leave-one-out
// scores say how well classes can be told apart, which examples are taken for
// another class, and which of those hurt the others (Hurting).
//
// A network's file may say what it has learned (Cohort). Then a picture is compared with
// that, too: one that resembles the network's training classes more than the taught ones
// is a stranger (Contrast).
//
// Examples of nothing, such as the empty scene before a camera, say no by themselves:
// a Border, learned by leaving them out as well, divides what looks like them from
// what looks like a class.
//
// Scores are logits of a classifier that scores each class by its own examples
// alone, as all classifiers that match do. The caller chooses the classifier, and
// how pictures are embedded.
package openset
