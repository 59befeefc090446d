// Package node tests deepemd/node in Node, Deno and Bun.
package node
