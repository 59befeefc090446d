// Package share tests what leaves the studio for other pages: shared pages in iframes,
// and the code that the studio gives to paste.
package share
