// Package soak lets the studio run for a long time, as in an exhibition, and watches what
// memory it takes. It runs where DEEPEMD_SOAK says for how long: make soak.
package soak
