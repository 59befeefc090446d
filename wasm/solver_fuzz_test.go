//go:build !js

package wasm_test

import (
	"cmp"
	"encoding/binary"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"github.com/deepemd/deepemd/internal/nodetest"
	"github.com/deepemd/deepemd/internal/solvertest"
	"github.com/deepemd/deepemd/solver"
)

// solves is a script that calls deepemd/solver with problems of all kinds and with invalid
// arguments, in a sequence from a seed. It reports errors, and the solved problems with their
// solutions.
const solves = `
	const [program] = process.argv.slice(-1);
	import { readFileSync } from "node:fs";
	const bytes = readFileSync(program);
	const { install } = await import(ROOT + "wasm/npm/platform.js");
	const { node } = await import(ROOT + "wasm/npm/node-platform.js");
	install({ ...node, read: async () => new Response(bytes) });
	const { DeepEMDError, emd, loadSolver } = await import(ROOT + "wasm/npm/solver.js");
	const solver = await loadSolver();

` + chance + `

	/** Costs and weights of the kinds that have broken solvers. */
	const COSTS = [() => random(), () => below(4), () => 1.5, () => random() - 0.5, () => 10 ** (60 * random() - 30), () => 1e300 * (random() - 0.5), () => 1.7e308 * (random() < 0.5 ? -1 : 1), () => 1e-300 * below(9)];
	const WEIGHTS = [() => random(), () => below(3), () => 1, () => 10 ** (-8 * random()), () => 1e300 * random(), () => 5e-324 * below(9), () => random() * 1e-300];
	const WRONG = [NaN, Infinity, -Infinity, -1, -5e-324, 1.79e308];

	/** Numbers, as an array of a kind. */
	function numbers(kind, length, value) {
		const list = kind === "resizable" ? new Float64Array(new ArrayBuffer(8 * length, { maxByteLength: 8 * length + 64 })) : kind === "offset" ? new Float64Array(new ArrayBuffer(8 * length + 16), 8, length)
			: kind === "shared" ? new Float64Array(new SharedArrayBuffer(8 * length)) : kind === "single" ? new Float32Array(length) : new Float64Array(length);
		return list.map === undefined ? list : (list.forEach((_, i) => (list[i] = value())), list);
	}

	/** Problems of one shape, good ones most of the time. */
	function problems() {
		const side = one([2, 5, 12, 40]);
		const [count, rows, cols] = [one([1, 1, 2, 5]), 1 + below(side), 1 + below(side)];
		const [cost, weight, kind] = [one(COSTS), one(WEIGHTS), () => one(["plain", "plain", "single", "offset", "resizable", "shared"])];
		const given = { cost: numbers(kind(), count * rows * cols, cost), supply: numbers(kind(), count * rows, weight), demand: numbers(kind(), count * cols, weight) };
		for (let n = 0; n < count && random() < 0.95; n++) {
			const [supply, demand] = [given.supply.subarray(n * rows, (n + 1) * rows), given.demand.subarray(n * cols, (n + 1) * cols)];
			const sum = (list) => list.reduce((all, w) => all + w, 0);
			if (sum(supply) === 0) supply[0] = 1;
			if (sum(demand) === 0) demand[0] = 1;
			const by = sum(supply) / sum(demand);
			demand.forEach((w, j) => (demand[j] = w * by));
		}
		if (random() < 0.2) { const list = one(Object.values(given)); list[below(list.length)] = one(WRONG); }
		return { ...given, count, rows, cols };
	}

	/** Values that nobody means. */
	const JUNK = [
		() => undefined, () => null, () => true, () => -1, () => 0, () => 0.5, () => NaN, () => 2 ** 53, () => 2 ** 31, () => "x", () => 5n, () => Symbol("s"), () => () => 1, () => [], () => [1, 2], () => ({}), () => ({ length: 1 }), () => Object.create(null), () => new Date(0),
		() => new Float64Array(0), () => new Float64Array(7), () => new Float32Array(3), () => new Uint8Array(4), () => new DataView(new ArrayBuffer(8)), () => new ArrayBuffer(8), () => new BigInt64Array(2),
		() => Object.create(Float64Array.prototype), () => new Proxy(new Float64Array(4), {}), () => Object.defineProperty(new Float64Array(2), "length", { value: 1e9 }), () => Object.assign(new Float64Array(2), { constructor: null }),
		() => { const list = new Float64Array(4); structuredClone(list, { transfer: [list.buffer] }); return list; },
		() => { const list = new Float64Array(new ArrayBuffer(64, { maxByteLength: 64 }), 16); list.buffer.resize(8); return list; },
		() => ({ toString: null, valueOf: null }),
	];
	/** Programs that are none, and options that are none. */
	const ENGINES = [() => new Uint8Array(9), () => bytes.subarray(0, below(200)), () => bytes.subarray(0, below(bytes.length)), () => Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0), () => new Response("x", { status: 404 }), () => new Blob(["x"]), () => "https://a.example/x", () => "", () => "http://["];

	const packed = (list) => Buffer.from(Float64Array.from(list).buffer).toString("base64");
	const CODES = ["bad-argument", "out-of-memory", "network", "disposed"];

	async function answer({ seed, steps }) {
		state = seed | 0;
		const out = { wrong: "", solved: [] };
		for (let step = 0; step < steps; step++) {
			const { cost, supply, demand, count, rows, cols } = problems();
			const given = count === 1 && random() < 0.5 ? [cost, supply, demand] : [cost, supply, demand, count];
			const junk = random() < 0.4;
			if (junk) given[below(given.length)] = one(JUNK)();
			const before = junk ? undefined : given.slice(0, 3).map(packed);
			try {
				let got;
				if (random() < 0.1) {
					const options = { [one(["signal", "engine", "x"])]: one(random() < 0.5 ? JUNK : ENGINES)() };
					const other = await loadSolver(random() < 0.2 ? one(JUNK)() : options);
					other.dispose();
					other.emd(...given);
					return { ...out, wrong: "what was disposed of solves" };
				}
				if (given.length === 4) got = solver.emdMany(...given);
				else if (random() < 0.5) got = solver.emd(...given);
				else got = await emd(...given, ...(random() < 0.1 ? [one(JUNK)()] : []));
				if (before) {
					if (given.slice(0, 3).some((list, i) => packed(list) !== before[i])) return { ...out, wrong: "the problem has changed" };
					out.solved.push({ rows, cols, count, cost: before[0], supply: before[1], demand: before[2], flow: packed(got.flow), u: packed(got.u), v: packed(got.v), objective: packed(given.length === 4 ? got.objective : [got.objective]) });
				}
			} catch (error) {
				if (!(error instanceof DeepEMDError) || !CODES.includes(error.code)) return { ...out, wrong: "step " + step + ": " + (error?.code ?? "") + " " + (error?.stack ?? error) };
			}
		}
		return out;
	}`

// solved are problems of one shape that JavaScript had solved: float64 in binary.
type solved struct {
	Rows, Cols, Count                           int
	Cost, Supply, Demand, Flow, U, V, Objective []byte
}

// FuzzSolver asks the JavaScript API of the solver, compiled to WebAssembly, for solutions,
// with arguments that are wrong in some way, in a sequence that follows from a seed: it
// refuses them by a DeepEMDError, in time, or solves them to the optimum, and lives on.
func FuzzSolver(f *testing.F) {
	page := nodetest.Start(f, solves, compiledSolver(f))
	for seed := range 40 {
		f.Add(uint32(seed), uint8(20))
	}
	f.Fuzz(func(t *testing.T, seed uint32, steps uint8) {
		var got struct {
			Wrong  string
			Solved []solved
		}
		if err := page.Ask(t, map[string]any{"seed": seed, "steps": steps % 64}, &got); err != nil {
			page.Restart()
			t.Fatalf("seed %d: %s %s", seed, err.Message, err.Stack)
		}
		if got.Wrong != "" {
			page.Restart()
			t.Fatalf("seed %d: %s", seed, got.Wrong)
		}
		for _, s := range got.Solved {
			s.certify(t)
		}
	})
}

// compiledSolver returns the path of the solver, compiled to WebAssembly.
func compiledSolver(tb testing.TB) string {
	tb.Helper()
	program := filepath.Join(tb.TempDir(), "solver.wasm")
	build := exec.Command("go", "build", "-buildmode=c-shared", "-o", program, "./solver")
	build.Env = append(os.Environ(), "GOOS=wasip1", "GOARCH=wasm")
	if out, err := build.CombinedOutput(); err != nil {
		tb.Fatalf("building the solver: %v\n%s", err, out)
	}
	return program
}

// certify fails unless every solution is feasible and optimal.
func (s *solved) certify(t *testing.T) {
	t.Helper()
	cells := s.Rows * s.Cols
	cost, supply, demand := floats(s.Cost), floats(s.Supply), floats(s.Demand)
	flow, u, v, objective := floats(s.Flow), floats(s.U), floats(s.V), floats(s.Objective)
	if len(flow) != s.Count*cells || len(u) != s.Count*s.Rows || len(v) != s.Count*s.Cols || len(objective) != s.Count {
		t.Fatalf("%d flows, %d and %d duals, %d objectives for %d problems of %d × %d", len(flow), len(u), len(v), len(objective), s.Count, s.Rows, s.Cols)
	}
	for n := range s.Count {
		p := &solver.Problem{Rows: s.Rows, Cols: s.Cols, Cost: cost[n*cells:][:cells], Supply: supply[n*s.Rows:][:s.Rows], Demand: demand[n*s.Cols:][:s.Cols]}
		solution := solver.Solution{Objective: objective[n], Flow: flow[n*cells:][:cells], U: u[n*s.Rows:][:s.Rows], V: v[n*s.Cols:][:s.Cols]}
		tame(p, &solution)
		solvertest.Certify(t, p, solution)
	}
}

// tame scales a problem and its solution so that Certify's own sums are numbers, and the
// demands to the sum of the supplies, as the solver does.
func tame(p *solver.Problem, s *solver.Solution) {
	_, money := math.Frexp(slices.MaxFunc(p.Cost, func(a, b float64) int { return cmp.Compare(math.Abs(a), math.Abs(b)) }))
	_, weight := math.Frexp(max(slices.Max(p.Supply), slices.Max(p.Demand)))
	for list, by := range map[*[]float64]int{&p.Cost: money, &s.U: money, &s.V: money, &p.Supply: weight, &p.Demand: weight, &s.Flow: weight} {
		for i, x := range *list {
			(*list)[i] = math.Ldexp(x, -by)
		}
	}
	solvertest.Balance(p)
	if tiny := money+weight < -960; tiny { // the sum has lost what it should have been compared by
		s.Objective = 0
		for i, x := range s.Flow {
			s.Objective += x * p.Cost[i]
		}
		return
	}
	s.Objective = math.Ldexp(s.Objective, -money-weight)
}

func floats(data []byte) []float64 {
	list := make([]float64, len(data)/8)
	for i := range list {
		list[i] = math.Float64frombits(binary.LittleEndian.Uint64(data[8*i:]))
	}
	return list
}
