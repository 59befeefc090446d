package reproduce

import "testing"

// Crops are embedded by the network that was taught for them, and by the main one without;
// nothing stands in for one without rotations.
func TestNetworksTaughtForCrops(t *testing.T) {
	main, _ := network(t, 1)
	taught, _ := network(t, 2)
	l := &Lab{Plan: Plan{Episodes: 2, Query: 3}, Networks: map[string]*Network{Main: main}, Data: map[string]*Dataset{Main: dataset(t, 10, 9)}}
	of := func(t *Table, key string) string { return l.ID(Cell{t, t.row(key), t.Columns[0]}) }
	table := embeddersTable()
	fcn, grid, sampling := of(table, "fcn"), of(table, "grid-2-3"), of(table, "sampling-25")
	if got := len(l.Cells(table)); got != len(table.Rows)*len(table.Columns) {
		t.Errorf("%d cells can be measured with one network, want all of %d rows", got, len(table.Rows))
	}
	l.Networks[ForGrid] = taught
	if of(table, "fcn") != fcn || of(table, "sampling-25") != sampling {
		t.Error("a network for grids changes what is measured of others")
	}
	if of(table, "grid-2-3") == grid {
		t.Error("grids are not embedded by their own network")
	}
	if got := len(l.Cells(rotationsTable())); got != 3 {
		t.Errorf("%d cells of table 4 without a second network, want 3", got)
	}
}
