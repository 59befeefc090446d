// Package fewshot tells classes apart by a few examples of each. A Classifier takes
// the support set, then scores queries. Each method has a file.
//
// Scores are logits: comparable between the classes of one query, and turned
// into probabilities by Softmax.
package fewshot
