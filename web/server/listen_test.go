package server

import (
	"strings"
	"testing"
)

func TestTakenPortSaysWhatToDo(t *testing.T) {
	first, err := Listen("localhost:0")
	if err != nil {
		t.Fatal(err)
	}
	defer first.Close()
	_, err = Listen(first.Addr().String())
	if err == nil || !strings.Contains(err.Error(), "another port") {
		t.Errorf("error %v, want one that names the remedy", err)
	}
}

func TestBadAddress(t *testing.T) {
	if l, err := Listen("localhost:http-but-wrong"); err == nil {
		l.Close()
		t.Error("an impossible port was accepted")
	}
}
