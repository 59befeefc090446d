// Package docs opens the documentation of the built site, under the server's policy.
package docs
