// Package bombs makes small files that are large or slow to read: each is what its
// format allows, and says more than any honest file of its size. Tests hold readers to
// refusing them at once.
package bombs
