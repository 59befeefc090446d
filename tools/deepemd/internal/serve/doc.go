// Package serve has the verbs that give the studio to browsers, serve and export-site,
// and version.
package serve
