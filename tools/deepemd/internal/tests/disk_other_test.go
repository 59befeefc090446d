//go:build !linux

package tests

import "testing"

type disk struct{ dir string }

func smallDisk(t *testing.T) disk {
	t.Helper()
	t.Skip("no small disk to fill: on Linux alone")
	return disk{}
}

func (disk) fill(*testing.T, int64) {}
