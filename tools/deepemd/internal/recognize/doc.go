// Package recognize has the verbs that recognize images and sounds, and search images: classify,
// explain, project, index, search and others.
package recognize
