// Package offline tests how the studio reaches browsers and stays there: loading,
// without a network, in new versions, on plain file servers, and in the pages of examples.
package offline
