// Package sound tests teaching the studio sounds, and what it says without a microphone.
package sound
