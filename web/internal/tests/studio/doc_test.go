// Package studio tests what is around teaching: languages, accessibility, settings, custom
// networks, slow devices, browsers that lack things, and trouble.
package studio
