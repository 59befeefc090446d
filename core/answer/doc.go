// Package answer holds the plain data of answers, which engine, studio and command share: why
// two images match, and how well examples are recognized when they are left out. It computes
// nothing but geometry and counts, and imports nothing of this module.
package answer
