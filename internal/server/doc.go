// Package server gives a built site to browsers: the studio, the engine with
// deepemd.js in front of it, the weights and the examples.
//
// Everything is a file that the build left in one folder; the server computes
// nothing but headers, so that any other file server can take its place. What
// it adds is a promise: the Content-Security-Policy lets no request leave the
// origin.
package server
