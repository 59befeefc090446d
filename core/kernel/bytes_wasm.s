#include "textflag.h"

// The sums stay in V0–V7 (V0–V3 the first row, V4–V7 the second); V8–V11 hold four terms of
// 16 columns of B, V12 four activations four times over.

#define LOAD(ptr, offset, vec) \
	Get ptr; I32WrapI64; V128Load offset; Set vec

#define STORE(ptr, offset, vec) \
	Get ptr; I32WrapI64; I32Const offset; I32Add; Get vec; V128Store $0

#define ZERO(vec) \
	V128Const $0, $0; Set vec

#define SPLAT(ptr, vec) \
	Get ptr; I32WrapI64; F32Load $0; F32x4Splat; Set vec

// acc += w·x, four products for each sum, which wasm/fuse makes one instruction of: the
// bytes at even places and those at odd ones, widened, are multiplied in pairs.
#define DOT(w, x, acc) \
	Get w; I32Const $8; I16x8Shl; I32Const $8; I16x8ShrS; \
	Get x; I32Const $8; I16x8Shl; I32Const $8; I16x8ShrS; \
	I32x4DotI16x8S; \
	Get w; I32Const $8; I16x8ShrS; \
	Get x; I32Const $8; I16x8ShrS; \
	I32x4DotI16x8S; \
	I32x4Add; Get acc; I32x4Add; Set acc

#define ADVANCE(reg, bytes) \
	Get reg; I64Const bytes; I64Add; Set reg

// func bytes2x16(k int, a *uint8, b *int8, sums *int32)
// k is a multiple of 4 and positive; the rows of A lie one after the other.
TEXT ·bytes2x16(SB), NOSPLIT, $0-32
	MOVD k+0(FP), R7
	MOVD a+8(FP), R3            // R3: first row of A
	MOVD b+16(FP), R8
	MOVD sums+24(FP), R2
	Get R3; Get R7; I64Add; Set R4 // R4: second row of A
	Get R4; Set R9                 // R9: end of the first row
	ZERO(V0)
	ZERO(V1)
	ZERO(V2)
	ZERO(V3)
	ZERO(V4)
	ZERO(V5)
	ZERO(V6)
	ZERO(V7)
	Loop // over four terms at a time
		LOAD(R8, $0, V8)
		LOAD(R8, $16, V9)
		LOAD(R8, $32, V10)
		LOAD(R8, $48, V11)
		SPLAT(R3, V12)
		DOT(V8, V12, V0)
		DOT(V9, V12, V1)
		DOT(V10, V12, V2)
		DOT(V11, V12, V3)
		SPLAT(R4, V12)
		DOT(V8, V12, V4)
		DOT(V9, V12, V5)
		DOT(V10, V12, V6)
		DOT(V11, V12, V7)
		ADVANCE(R8, $64)
		ADVANCE(R4, $4)
		Get R3; I64Const $4; I64Add; Tee R3
		Get R9
		I64LtU
		BrIf $0
	End
	STORE(R2, $0, V0)
	STORE(R2, $16, V1)
	STORE(R2, $32, V2)
	STORE(R2, $48, V3)
	STORE(R2, $64, V4)
	STORE(R2, $80, V5)
	STORE(R2, $96, V6)
	STORE(R2, $112, V7)
	RET
