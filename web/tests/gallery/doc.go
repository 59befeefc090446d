// Package gallery tests what a page keeps of pictures, and finds: deepemd/gallery, in
// tabs that end, share and have no room, and the example that uses it.
package gallery
