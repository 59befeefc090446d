// Package recognize has the verbs that recognize pictures and sounds, and search pictures: classify,
// explain, project, index, search and others.
package recognize
