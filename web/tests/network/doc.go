// Package network tests a network of one's own in the studio: measured, used, kept on the
// device, shared, removed, and refused.
package network
