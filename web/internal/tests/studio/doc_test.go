// Package studio tests everything besides teaching: languages, accessibility, settings, custom
// networks, slow devices, browsers with missing features, and failures.
package studio
