// Package convert has the commands that convert files: import, export, features and emd.
package convert
