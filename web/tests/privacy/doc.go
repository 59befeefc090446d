// Package privacy tests, in a browser, that a whole visit to the studio asks for files of the site and sends nothing,
// and that the page shows it.
package privacy
