//go:build !js

package page_test

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/internal/browsertest"
	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/internal/solvertest"
	"github.com/deepemd/deepemd/internal/testsite"
	"github.com/deepemd/deepemd/solver"
)

// transport is a problem and its solution on their way to JavaScript and back.
type transport struct {
	Cost      []float64 `json:"cost"`
	Supply    []float64 `json:"supply"`
	Demand    []float64 `json:"demand"`
	Flow      []float64 `json:"flow,omitempty"`
	Objective float64   `json:"objective,omitempty"`
	U         []float64 `json:"u,omitempty"`
	V         []float64 `json:"v,omitempty"`
}

func (p *transport) problem() *solver.Problem {
	return &solver.Problem{Rows: len(p.Supply), Cols: len(p.Demand), Cost: p.Cost, Supply: p.Supply, Demand: p.Demand}
}

// transports are problems of every kind: as DeepEMD meets them, and as break solvers.
func transports() (list []transport) {
	for _, n := range []int{1, 9, 25, 100, 130} {
		for _, p := range solvertest.Cosines(n, 3, 1) {
			list = append(list, transport{Cost: p.Cost, Supply: p.Supply, Demand: p.Demand})
		}
	}
	for _, p := range solvertest.Mixed(30, 150, 1) {
		list = append(list, transport{Cost: p.Cost, Supply: p.Supply, Demand: p.Demand})
	}
	return list
}

// solverScript returns the common script of pages, workers and Node; from is the address of the solver.
func solverScript(from string) string {
	return `import { DeepEMDError, emd, loadSolver } from ` + from + `;

/** The problems, each with its solution; by turns from emd, and at once. */
async function solveAll(list) {
  const solver = await loadSolver();
  const solved = [];
  for (const [i, { cost, supply, demand }] of list.entries()) {
    const problem = [cost, supply, demand].map((numbers) => Float64Array.from(numbers));
    const { flow, objective, u, v } = i % 2 ? solver.emd(...problem) : await emd(...problem);
    solved.push({ cost, supply, demand, flow: [...flow], objective, u: [...u], v: [...v] });
  }
  solver.dispose();
  return solved;
}
`
}

// certified fails unless the solutions equal the Go solver's, and are optimal by their duals.
func certified(t *testing.T, where string, asked, solved []transport) {
	t.Helper()
	if len(solved) != len(asked) {
		t.Fatalf("%s: %d solved, want %d", where, len(solved), len(asked))
	}
	var s solver.Simplex
	for i, got := range solved {
		p := asked[i].problem()
		solvertest.Certify(t, p, solver.Solution{Objective: got.Objective, Flow: got.Flow, U: got.U, V: got.V})
		want := require.Value(s.Solve(p))(t)
		if diff := math.Abs(got.Objective - want.Objective); diff > 1e-12*math.Abs(want.Objective) {
			t.Errorf("%s: problem %d of %d×%d costs %g, in Go %g", where, i, p.Rows, p.Cols, got.Objective, want.Objective)
		}
		for e, x := range want.Flow {
			if math.Abs(got.Flow[e]-x) > 1e-12*want.Flow[e] {
				t.Errorf("%s: problem %d: flow %d is %g, in Go %g", where, i, e, got.Flow[e], x)
				break
			}
		}
	}
}

// serveSolver serves the built site, the problems, and invalid programs.
func serveSolver(t *testing.T) *httptest.Server {
	t.Helper()
	dir, err := testsite.Site()
	if err != nil {
		t.Fatalf("building the site: %v", err)
	}
	list, err := json.Marshal(transports())
	require.NoError(t, err)
	program, err := os.ReadFile(filepath.Join(dir, "deepemd", "deepemd-solver.wasm"))
	require.NoError(t, err)
	give := func(kind string, data []byte) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", kind)
			w.Write(data)
		}
	}
	mux := http.NewServeMux()
	mux.Handle("/", http.FileServer(http.Dir(dir)))
	mux.HandleFunc("/problems.json", give("application/json", list))
	mux.HandleFunc("/small.wasm", give("application/wasm", smallMemory(t, program)))
	mux.HandleFunc("/noise.wasm", give("application/wasm", []byte("noise")))
	mux.HandleFunc("/page.wasm", give("text/html", []byte("<!DOCTYPE html>")))
	script := solverScript(`"/deepemd/solver.js"`)
	mux.HandleFunc("/solving.js", give("text/javascript", []byte(script+`
const list = await (await fetch("/problems.json")).json();
if (globalThis.document) Object.assign(window, { DeepEMDError, emd, loadSolver, list, solveAll, loaded: true });
else postMessage(await solveAll(list));
`)))
	mux.HandleFunc("/solver/", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Security-Policy", "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; worker-src 'self'; img-src data:")
		give("text/html", []byte(`<!DOCTYPE html><meta charset="utf-8"><link rel="icon" href="data:,"><title>deepemd/solver</title><script type="module" src="/solving.js"></script>`))(w, r)
	})
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	return server
}

// smallMemory returns the program with less memory than a large problem takes.
func smallMemory(t *testing.T, program []byte) []byte {
	t.Helper()
	const memorySection, pages = 5, 1024
	for at := 8; at < len(program); {
		length, n := binary.Uvarint(program[at+1:])
		begin := at + 1 + n
		end := begin + int(length)
		if program[at] == memorySection {
			memory := program[begin:end]
			if !bytes.HasPrefix(memory, []byte{1, 0}) {
				t.Fatalf("the memory is % x, want one without a maximum", memory)
			}
			memory = binary.AppendUvarint(append([]byte{1, 1}, memory[2:]...), pages)
			return slices.Concat(program[:at], []byte{memorySection, byte(len(memory))}, memory, program[end:])
		}
		at = end
	}
	t.Fatal("the program has no memory")
	return nil
}

func TestSolverInPagesAndWorkers(t *testing.T) {
	server := serveSolver(t)
	b := browsertest.Start(t, browsertest.Options{})
	b.Open(server.URL + "/solver/")
	b.WaitFor("window.loaded")
	asked := transports()
	certified(t, "in a page", asked, browsertest.Eval[[]transport](b, `solveAll(list)`))
	certified(t, "in a worker", asked, browsertest.Eval[[]transport](b, `new Promise((resolve, reject) => {
		const worker = new Worker("/solving.js", { type: "module" });
		worker.onmessage = ({ data }) => resolve(data);
		worker.onerror = ({ message }) => reject(new Error(message));
	})`))
	if left := browsertest.Eval[string](b, `["Go", "fs", "process", "path", "deepemdConnect"].filter((name) => name in globalThis).join()`); left != "" {
		t.Errorf("the page has got globals: %s", left)
	}
	// Called off while it loads, and before; then it loads all the same.
	if got := browsertest.Eval[string](b, `(async () => {
		const stop = new AbortController(), why = [];
		const one = [Float64Array.of(3), Float64Array.of(2), Float64Array.of(2)];
		const loading = loadSolver({ signal: stop.signal });
		stop.abort("enough");
		await loading.catch((reason) => why.push(reason));
		await emd(...one, { signal: stop.signal }).catch((reason) => why.push(reason));
		why.push((await emd(...one)).objective);
		return why.join();
	})()`); got != "enough,enough,6" {
		t.Errorf("called off: %s", got)
	}
	b.NoProblems()
}

// inNode runs a script with the built package's solver in Node, and returns its output, JSON. The
// variable site is the package's folder, server the address of the pages.
func inNode[T any](t *testing.T, script string) (value T) {
	t.Helper()
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("no node here")
	}
	server := serveSolver(t)
	dir, err := testsite.Site()
	require.NoError(t, err)
	folder, err := json.Marshal(filepath.Join(dir, "deepemd"))
	require.NoError(t, err)
	program := solverScript(strings.TrimSuffix(string(folder), `"`)+`/node-solver.js"`) + `
const folder = ` + string(folder) + `, server = "` + server.URL + `";
/** What a call or a promise fails with. */
async function failure(call) {
  try {
    return { code: "none", message: JSON.stringify(await call()) };
  } catch (error) {
    return { code: error instanceof DeepEMDError ? error.code : "not a DeepEMDError", message: String(error?.message ?? error) };
  }
}
` + script
	path := filepath.Join(t.TempDir(), "solve.mjs")
	require.NoError(t, os.WriteFile(path, []byte(program), 0o644))
	cmd := exec.Command(node, path)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, &stderr)
	}
	if err := json.Unmarshal(out, &value); err != nil {
		t.Fatalf("%v: %.200s", err, out)
	}
	return value
}

func TestSolverInNode(t *testing.T) {
	asked := transports()
	certified(t, "in Node", asked, inNode[[]transport](t, `
const list = await (await fetch(server + "/problems.json")).json();
console.log(JSON.stringify(await solveAll(list)));`))
}

func TestSolverErrors(t *testing.T) {
	empty := filepath.Join(t.TempDir(), "empty.wasm")
	require.NoError(t, os.WriteFile(empty, nil, 0o644))
	cases := []struct{ call, code, message string }{
		{`emd(f(1, NaN), f(1), f(0.5, 0.5))`, "bad-argument", "cost of row 0, column 1 is NaN"},
		{`emd(f(1, Infinity), f(1), f(0.5, 0.5))`, "bad-argument", "finite cost"},
		{`emd(f(1, 2), f(1), f(1.5, -0.5))`, "bad-argument", "demand 1 is -0.5: negative weight; clamp"},
		{`emd(f(1, 2), f(1), f(0.5, 0.6))`, "bad-argument", "supplies sum to 1, demands to 1.1: unbalanced; scale one side"},
		{`emd(f(1), f(0), f(0))`, "bad-argument", "all weights are zero"},
		{`emd(f(1, 2, 3), f(1), f(0.5, 0.5))`, "bad-argument", "cost has 3 numbers for 1 supplies and 2 demands: want 2, row after row"},
		{`emd(f(), f(), f(1))`, "bad-argument", "supply is empty"},
		{`emd([1], f(1), f(1))`, "bad-argument", "cost is [1]: want a Float64Array"},
		{`emd(f(1), new Uint8Array(1), f(1))`, "bad-argument", "supply is a Uint8Array"},
		{`emd(f(1), f(1))`, "bad-argument", "demand is undefined"},
		{`emd(f(1), f(1), null)`, "bad-argument", "demand is null"},
		{`emd(f(1), f(1), f(1), { signal: AbortSignal.abort(new Error("stop")) })`, "not a DeepEMDError", "stop"},
		{`emd(f(1), f(1), f(1), { signal: 5 })`, "bad-argument", "signal is 5: want an AbortSignal"},
		{`emd(f(1), f(1), f(1), null)`, "bad-argument", "emd takes an object of options (signal), not null"},
		{`emd(f(1), f(1), f(1), { constructor: 1 })`, "bad-argument", "emd has no option \"constructor\""},
		{`emd(f(1e308), f(9), f(9))`, "bad-argument", "so large that their sums overflow: overflow; scale them down"},
		{`emd(Object.create(Float64Array.prototype), f(1), f(1))`, "bad-argument", "want a Float64Array"},
		{`solver.emd(f(1, 2), f(1), f(0.5, 0.6))`, "bad-argument", "unbalanced"},
		{`solver.emdMany(f(1, 1), f(1, 1), f(1, -1), 2)`, "bad-argument", "problem 1 of 2: demand 0 is -1"},
		{`solver.emdMany(f(1, 1), f(1, 1), f(1, 1), 3)`, "bad-argument", "supply has 2 weights for 3 problems"},
		{`solver.emdMany(f(1, 1), f(1, 1), f(1, 1), 0)`, "bad-argument", "count is 0"},
		{`solver.emdMany(f(1), f(1), f(1), Symbol("one"))`, "bad-argument", "count is Symbol(one)"},
		{`solver.emdMany(f(1, 1, 1), f(1, 1), f(1, 1), 2)`, "bad-argument", "cost has 3 numbers for 1 supplies and 1 demands of 2 problems: want 2"},
		{`loadSolver({ engine: server + "/nothing.wasm" })`, "network", "404"},
		{`loadSolver({ engine: server + "/page.wasm" })`, "network", "is a web page"},
		{`loadSolver({ engine: server + "/noise.wasm" })`, "network", "incomplete or not the solver"},
		{`loadSolver({ engine: folder + "/nothing.wasm" })`, "network", "no such file"},
		{fmt.Sprintf(`loadSolver({ engine: %q })`, empty), "network", "empty.wasm is incomplete or not the solver"},
		{`loadSolver({ engine: used })`, "bad-argument", "was read already: give a copy"},
		{`loadSolver({ engine: "http://127.0.0.1:1/solver.wasm" })`, "network", "could not be fetched"},
		{`loadSolver({ engine: Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0) })`, "bad-argument", "is not the solver"},
		{`loadSolver({ engine: new Uint8Array(9) })`, "network", "the solver that was given"},
		{`loadSolver({ engines: "x" })`, "bad-argument", "did you mean \"engine\"?"},
		{`loadSolver({ engine: 7 })`, "bad-argument", "engine is 7"},
		{`disposed.emd(f(1), f(1), f(1))`, "disposed", "load another one"},
	}
	var calls []string
	for _, c := range cases {
		calls = append(calls, "await failure(() => "+c.call+")")
	}
	type fault struct{ Code, Message string }
	faults := inNode[[]fault](t, `
const f = (...numbers) => Float64Array.from(numbers);
const solver = await loadSolver(), disposed = await loadSolver();
disposed.dispose();
const used = new Response("read");
await used.text();
console.log(JSON.stringify([`+strings.Join(calls, ",\n")+`]));`)
	for i, c := range cases {
		if got := faults[i]; got.Code != c.code || !strings.Contains(got.Message, c.message) {
			t.Errorf("%s: %s %q, want %s %q", c.call, got.Code, got.Message, c.code, c.message)
		}
	}
}

// Further arguments and sources of the solver.
func TestSolverArguments(t *testing.T) {
	type results struct {
		Objectives []float64
		Programs   []float64
		Untouched  bool
	}
	got := inNode[results](t, `
import { readFile } from "node:fs/promises";
const path = folder + "/deepemd-solver.wasm", file = await readFile(path);
const programs = [];
for (const engine of [path, new URL("file://" + path), server + "/deepemd/deepemd-solver.wasm", file, new Uint8Array(file).buffer, new Blob([file]),
  await fetch(server + "/deepemd/deepemd-solver.wasm"), await WebAssembly.compile(file)]) {
  const solver = await loadSolver({ engine });
  programs.push(solver.emd(Float64Array.of(3, 1), Float64Array.of(2), Float64Array.of(1, 1)).objective);
}
const cost = Float32Array.of(0.25, 1, 1, 0.25), supply = Float32Array.of(0.1, 0.9), demand = Float32Array.of(0.3, 0.7);
const solver = await loadSolver();
const single = solver.emd(cost, supply, demand), both = solver.emd(Float64Array.from(cost), supply, Float64Array.of(0.3, 0.7));
const many = solver.emdMany(Float64Array.of(1, 2, 3, 4, 5, 6), Float64Array.of(1, 2, 3), Float64Array.of(0.5, 0.5, 1, 1, 0, 3), 3);
console.log(JSON.stringify({
  programs, objectives: [single.objective, both.objective, ...many.objective, many.flow.length, many.u.length, many.v.length],
  untouched: [...demand].join() === [...Float32Array.of(0.3, 0.7)].join(),
}));`)
	for i, objective := range got.Programs {
		if objective != 4 {
			t.Errorf("program %d says %g, want 4", i, objective)
		}
	}
	want := []float64{0.1*0.25 + 0.2 + 0.7*0.25, 0.1*0.25 + 0.2 + 0.7*0.25, 1.5, 7, 18, 6, 3, 6}
	for i, x := range got.Objectives {
		if math.Abs(x-want[i]) > 1e-7 {
			t.Errorf("figure %d is %g, want %g", i, x, want[i])
		}
	}
	if len(got.Programs) != 8 || len(got.Objectives) != len(want) || !got.Untouched {
		t.Errorf("%+v", got)
	}
}

// A program that runs out of memory is started again.
func TestSolverOutOfMemory(t *testing.T) {
	type fault struct{ Code, Message string }
	got := inNode[[]fault](t, `
const solver = await loadSolver({ engine: server + "/small.wasm" });
const large = (n) => [new Float64Array(n * n).fill(1), new Float64Array(n).fill(1), new Float64Array(n).fill(1)];
const small = [Float64Array.of(3, 1), Float64Array.of(2), Float64Array.of(1, 1)];
const all = [];
for (const problem of [small, large(3000), small, large(800), large(3000), small, large(17000)]) {
  all.push(await failure(() => solver.emd(...problem).objective));
}
console.log(JSON.stringify(all));`)
	for i, want := range []fault{{"none", "4"}, {"out-of-memory", "solve smaller"}, {"none", "4"}, {"none", "800"}, {"out-of-memory", "solve smaller"}, {"none", "4"}, {"out-of-memory", "more than the 4 GB"}} {
		if got[i].Code != want.Code || !strings.Contains(got[i].Message, want.Message) {
			t.Errorf("problem %d: %s %q, want %s %q", i, got[i].Code, got[i].Message, want.Code, want.Message)
		}
	}
}
