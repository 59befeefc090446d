// Package solver solves optimal transport problems. It knows nothing of images.
package solver
