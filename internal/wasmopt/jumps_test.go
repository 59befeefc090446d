package wasmopt

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/internal/bombs"
)

// ops maps the standard's names of the instructions in these tests to opcodes.
var ops = map[string]byte{
	"nop": 0x01, "block": opBlock, "loop": opLoop, "if": opIf, "end": opEnd, "br": opBr, "br_if": opBrIf, "br_table": opBrTable,
	"return": opReturn, "unreachable": opUnreachable, "call": opCall, "local.get": opLocalGet, "local.set": opLocalSet, "i32.const": opI32Const,
}

// assemble writes the body of a function without locals.
func assemble(t testing.TB, text string) []byte {
	t.Helper()
	body := []byte{0}
	for _, word := range strings.Fields(text) {
		var n uint64
		if op, ok := ops[word]; ok {
			body = append(body, op)
			if op == opBlock || op == opLoop || op == opIf {
				body = append(body, empty)
			}
		} else if _, err := fmt.Sscan(word, &n); err == nil {
			body = binary.AppendUvarint(body, n)
		} else {
			t.Fatalf("what is %q?", word)
		}
	}
	return body
}

// linked returns a function in the form of Go's linker with the given stretches.
func linked(stretches ...string) string {
	text := []string{"loop"}
	table := []string{"local.get 0 br_table", fmt.Sprint(len(stretches) - 1)}
	for i := range stretches {
		text, table = append(text, "block"), append(table, fmt.Sprint(i))
	}
	text = append(append(text, table...), "end")
	for i, code := range stretches {
		if text = append(text, code); i+1 < len(stretches) {
			text = append(text, "end")
		}
	}
	return strings.Join(append(text, "end unreachable end"), " ")
}

func TestJumpsLeadStraight(t *testing.T) {
	for _, c := range []struct{ what, before, after string }{
		{
			"a jump ahead leaves a block",
			linked("i32.const 2 local.set 0 br 2", "nop i32.const 2 local.set 0 br 1", "return"),
			linked("br 1", "nop br 0", "return"),
		}, {
			"one on a condition is one instruction",
			linked("local.get 1 if i32.const 2 local.set 0 br 3 end", "nop i32.const 2 local.set 0 br 1", "return"),
			linked("local.get 1 br_if 1", "nop br 0", "return"),
		}, {
			"a jump back is a loop",
			linked("", "nop local.get 1 if i32.const 1 local.set 0 br 2 end", "return"),
			linked("", "loop nop local.get 1 br_if 0 end", "return"),
		}, {
			"it may be the first stretch",
			linked("nop local.get 1 if i32.const 0 local.set 0 br 2 end", "return"),
			linked("loop nop local.get 1 br_if 0 end", "return"),
		}, {
			"stretches of a loop stand in it",
			linked("nop", "local.get 1 if i32.const 3 local.set 0 br 3 end local.get 2 if i32.const 2 local.set 0 br 3 end nop",
				"i32.const 1 local.set 0 br 1", "return"),
			"loop block block block local.get 0 br_table 3 0 1 0 2 end nop end loop block local.get 1 br_if 2 local.get 2 br_if 0 nop end br 0 end end return end unreachable end",
		}, {
			"a loop begins where it is entered",
			linked("i32.const 2 local.set 0 br 3", "nop", "local.get 1 if i32.const 1 local.set 0 br 2 end", "return"),
			"loop block block block local.get 0 br_table 3 0 0 1 2 end br 0 end loop block local.get 1 br_if 0 br 2 end nop br 0 end end return end unreachable end",
		}, {
			"where a function goes on after a call, the table leads",
			linked("nop", "call 7", "nop local.get 1 if i32.const 1 local.set 0 br 2 end", "return"),
			linked("nop", "call 7", "nop local.get 1 if i32.const 1 local.set 0 br 2 end", "return"),
		}, {
			"what leaves the function, or a block around the loop, still does",
			"block " + linked("local.get 1 br_if 3 local.get 1 br_if 4 i32.const 2 local.set 0 br 2", "nop i32.const 2 local.set 0 br 1", "return") + " end",
			"block " + linked("local.get 1 br_if 3 local.get 1 br_if 4 br 1", "nop br 0", "return") + " end",
		}, {
			"a loop ends after those that begin in it",
			linked("", "nop", "local.get 2 if i32.const 3 local.set 0 br 3 end local.get 1 if i32.const 1 local.set 0 br 3 end",
				"local.get 1 if i32.const 2 local.set 0 br 2 end", "return"),
			"loop block block block local.get 0 br_table 4 0 1 0 0 2 end end loop block nop end loop block local.get 2 br_if 0 local.get 1 br_if 2 end local.get 1 br_if 0 end end end return end unreachable end",
		}, {
			"a stretch that goes on after the loop stays last",
			linked("i32.const 2 local.set 0 br 2", "nop", "local.get 1 if i32.const 1 local.set 0 br 1 end"),
			linked("br 1", "nop", "local.get 1 if i32.const 1 local.set 0 br 1 end"),
		}, {
			"a function without a table stays", "block loop br 0 end end end", "block loop br 0 end end end",
		}, {
			"and one that uses it in another way", linked("i32.const 1 br 1", "return"), linked("i32.const 1 br 1", "return"),
		}, {
			"or with another number", linked("local.get 1 local.set 0 br 1", "return"), linked("local.get 1 local.set 0 br 1", "return"),
		}, {
			"or with another local", linked("i32.const 1 local.set 1 br 1", "return"), linked("i32.const 1 local.set 1 br 1", "return"),
		}, {
			"and one whose table does not lead to each stretch",
			"loop block block local.get 0 br_table 1 0 0 end i32.const 1 local.set 0 br 1 end return end unreachable end",
			"loop block block local.get 0 br_table 1 0 0 end i32.const 1 local.set 0 br 1 end return end unreachable end",
		},
	} {
		got, err := straight(assemble(t, c.before))
		if err != nil {
			t.Errorf("%s: %v", c.what, err)
		} else if want := assemble(t, c.after); !bytes.Equal(got, want) {
			t.Errorf("%s:\n% x\nwant\n% x", c.what, got, want)
		}
	}
}

// Instructions of every kind are as long as the standard says.
func TestLengths(t *testing.T) {
	vector := func(kind byte, operands ...byte) []byte { return append([]byte{opVector, kind}, operands...) }
	sixteen := bytes.Repeat([]byte{opEnd}, 16)
	want := [][]byte{
		{0}, // no locals
		{opUnreachable}, {opNop}, {opBlock, empty}, {opLoop, empty}, {opIf, 0x7f}, {0x05}, {opEnd}, {opBr, 0x80, 1}, {opBrIf, 1},
		{opBrTable, 2, 0, 0x80, 1, 2}, {opReturn}, {opCall, 0x80, 1}, {opIndirect, 5, 0}, {0x1a}, {0x1b}, {opLocalGet, 0x80, 1}, {0x24, 0},
		{0x28, 2, 0x80, 1}, {0x3e, 2, 8}, {0x3f, 0}, {0x40, 0}, {opI32Const, 0xff, 0x7f}, {0x42, 0xff, 0x7f}, {0x43, 1, 1, 1, 1},
		{0x44, 1, 1, 1, 1, 1, 1, 1, 1}, {0x45}, {0xc4}, {opNumeric, 0}, {opNumeric, 7}, {opNumeric, 10, 0, 0}, {opNumeric, 11, 0},
		vector(0, 4, 0x80, 1), vector(11, 4, 16), vector(12, sixteen...), vector(13, sixteen...), vector(14), vector(20), vector(21, 3), vector(34, 1),
		vector(35), vector(83), vector(84, 0, 8, 3), vector(91, 3, 8, 1), vector(92, 2, 8), vector(93, 3, 8), vector(94), vector(0x85, 2),
	}
	got, err := decode(bytes.Join(want, nil))
	if err != nil || len(got) != len(want) {
		t.Fatalf("%d instructions, want %d, error %v", len(got), len(want), err)
	}
	for i, in := range got {
		if !bytes.Equal(in.bytes, want[i]) {
			t.Errorf("instruction %d is % x, want % x", i, in.bytes, want[i])
		}
	}
	for _, unknown := range [][]byte{{0x1c, 0}, {0x25, 0}, {0xc5, 0}, {opNumeric, 8, 0, 0}, {opNumeric, 12, 0, 0}} {
		if _, err := decode(append([]byte{0}, unknown...)); err == nil || !strings.Contains(err.Error(), "unknown instruction") {
			t.Errorf("% x: error %v, want an unknown instruction", unknown, err)
		}
	}
}

// oneFunction returns a module of one function.
func oneFunction(body []byte) []byte {
	content := binary.AppendUvarint([]byte{1}, uint64(len(body)))
	return writeSections([]section{{codeSection, append(content, body...)}})
}

func TestStraightenRefuses(t *testing.T) {
	body := assemble(t, linked("nop", "return"))
	for name, bad := range map[string][]byte{
		"an instruction of none": oneFunction(append(bytes.Clone(body), 0xff)),
		"one that is cut short":  oneFunction(append(bytes.Clone(body), opI32Const)),
		"locals cut short":       oneFunction([]byte{2, 1}),
		"code cut short":         oneFunction(body)[:20],
	} {
		if _, err := Optimize(bad, Options{Lines: true}); err == nil || !strings.HasPrefix(err.Error(), "wasmopt: ") {
			t.Errorf("%s: %v, want an error", name, err)
		}
	}
}

// FuzzStraight: arbitrary bytes give an error or a function, never a panic.
func FuzzStraight(f *testing.F) {
	f.Add(assemble(f, linked("i32.const 2 local.set 0 br 3", "nop", "local.get 1 if i32.const 1 local.set 0 br 2 end", "return")))
	f.Add(assemble(f, "block "+linked("nop call 7 br_if 2", "return")+" end"))
	f.Fuzz(func(t *testing.T, body []byte) {
		bombs.Budget(t, 4<<20, 512, len(body), func() {
			if got, err := straight(body); err == nil {
				if _, err := decode(got); err != nil {
					t.Errorf("what was written cannot be read: %v", err)
				}
			}
		})
	})
}
