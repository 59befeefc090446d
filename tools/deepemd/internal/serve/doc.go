// Package serve has the verbs that publish the studio and its projects: serve, export-site and share,
// and version.
package serve
