package main

import (
	"archive/zip"
	"bytes"
	"os"
	"testing"
)

// The picture in the repository is what the data set gives.
func TestSheetIsOfTheDataSet(t *testing.T) {
	archive, err := zip.OpenReader("../../../shared/datasets/omniglot.zip")
	if err != nil {
		t.Skipf("without the data set: %v", err)
	}
	defer archive.Close()
	all, err := sheet(archive)
	if err != nil {
		t.Fatal(err)
	}
	got, err := encode(all)
	if err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile("../../" + picture)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Error("it is another: go run ./tools/characters writes it")
	}
}

// Nobody whose drawings are examples drew one that is to be tried.
func TestNobodyDrewBoth(t *testing.T) {
	seen := map[int]bool{}
	for column := range 9 {
		p := person(column)
		if p < 1 || p > people || seen[p] {
			t.Errorf("column %d is of person %d", column, p)
		}
		seen[p] = true
	}
}
