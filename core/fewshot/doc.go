// Package fewshot contains classifiers that learn from a few examples per class. A
// [Classifier] is fitted to the support set, then scores queries. Each method has its own
// file.
//
// Scores are logits. They can be compared between the classes of one query; [Softmax]
// converts them to probabilities.
package fewshot
