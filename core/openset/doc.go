// Package openset implements open-set recognition: it separates images of a project's
// classes from images of anything else. [LeaveOneOut] leaves out each example in turn, with
// the frames of a film around it, and scores it against its own class and the others.
// [Calibrate] estimates from these scores the level of each class and the threshold of
// unknown images.
//
// A class with one example has no left-out score. A [Prior], measured on classes that the
// network was not trained on, replaces it. The left-out scores also yield the confusion
// matrix and the misclassified examples.
//
// Background examples, such as the empty scene in front of a camera, reject images. A
// [Boundary], learned from left-out examples, separates them from the classes.
//
// Scores are logits of a [fewshot.Prototype]. The caller chooses its matcher and the embedder.
package openset
