// Package data reads what few-shot classification is trained and measured on:
// sets of pictures by class, splits of their classes, and lists of episodes,
// given or drawn with a seed.
//
// A [Set] is a folder or zip archive. A picture's class is the folder that it
// lies in, or what lists beside it say: the forms in which the field's data sets
// are handed on are recognised, with their splits ([OpenSplit]). Pictures are
// decoded when they are asked for.
//
// An [Episode] names its pictures, so that one drawn here and one listed in a
// file are the same thing.
package data
