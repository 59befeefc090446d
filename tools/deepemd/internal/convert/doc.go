// Package convert has the verbs that turn files into others: import, export, features
// and emd.
package convert
