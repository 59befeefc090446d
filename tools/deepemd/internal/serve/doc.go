// Package serve has the verbs that give the studio and what was taught in it to browsers,
// serve, export-site and share, and version.
package serve
