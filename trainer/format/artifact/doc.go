// Package artifact writes the files that the trainer and the commands leave behind,
// whole or not at all, and says what a full disk means. What the files hold is their
// writers' business.
package artifact
