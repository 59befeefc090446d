package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"

	"github.com/deepemd/deepemd/internal/solvertest"
	"github.com/deepemd/deepemd/solver"
)

// solverSizes are the sizes and numbers of the problems for package deepemd/solver.
var solverSizes = []struct{ n, count int }{{25, 50}, {100, 50}, {500, 3}}

// solverAlone times deepemd/solver in Chromium, on a page's main thread, compared with the native
// solver and the solvers of Python programs. It leaves out peers with different optima.
func solverAlone(b *bench) error {
	lists := map[int][]*solver.Problem{}
	for _, s := range solverSizes {
		lists[s.n] = solvertest.Cosines(s.n, s.count, 1)
	}
	peers := map[int][]peerSide{}
	for script, name := range map[string]string{"opencv_peer.py": "OpenCV", "pot_peer.py": "POT"} {
		peer := b.startPython(script, name)
		if peer == nil {
			continue
		}
		defer peer.stop()
		if err := peer.send(map[string]any{"problems": lists}); err != nil {
			return err
		}
		for _, s := range solverSizes {
			if err := sameOptimum(peer, s.n, lists[s.n]); err != nil {
				b.peerNotes[fmt.Sprintf("%s at n = %d", name, s.n)] = err.Error()
				continue
			}
			peers[s.n] = append(peers[s.n], peer.measure(s.n))
		}
	}
	text, err := json.Marshal(lists)
	if err != nil {
		return err
	}
	mux := http.NewServeMux()
	mux.Handle("/pages/", http.FileServerFS(pages))
	mux.Handle("/", http.FileServerFS(os.DirFS(b.sites[0])))
	mux.HandleFunc("/problems.json", func(w http.ResponseWriter, r *http.Request) { w.Write(text) })
	server := httptest.NewServer(mux)
	defer server.Close()
	c, err := startChromium()
	if err != nil {
		return err
	}
	defer c.cancel()
	ours, err := openSide(c, server.URL+"/pages/solver.html")
	if err != nil {
		return err
	}
	for _, s := range solverSizes {
		sides := []peerSide{{"the same natively", solving(lists[s.n])}}
		sides = append(sides, peers[s.n]...)
		note := func(ms float64) string { return fmt.Sprintf("%.2f ms a problem", ms/float64(s.count)) }
		if err := b.against(fmt.Sprintf("%d problems, n = %d", s.count, s.n), ours.measure("solve", s.n), note, sides...); err != nil {
			return err
		}
	}
	return nil
}
