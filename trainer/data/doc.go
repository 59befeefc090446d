// Package data reads what few-shot classification is trained and measured on:
// sets of pictures by class, splits of their classes, and lists of episodes,
// given or drawn with a seed.
//
// A [Set] is a folder or zip archive in which a picture's class is the folder
// that it lies in. Folders above that one (train, test) only tell pictures of
// the same class apart. Pictures are decoded when they are asked for.
//
// An [Episode] names its pictures, so that one drawn here and one listed in a
// file are the same thing.
package data
