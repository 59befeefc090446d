// Package lessons tests, in a browser, the lessons of the studio: that they are found, begun
// and reached step by step, that drawn characters are taught, tried and drawn, and that the
// notes for teachers print on two pages.
package lessons
