#include "textflag.h"

// The sums stay in V0–V7 (V0–V3 the first row, V4–V7 the second); V8–V11 hold four terms of
// 16 columns of B, V12 four activations four times over, V13 ones.

#define LOAD(ptr, offset, vec) \
	Get ptr; I32WrapI64; V128Load offset; Set vec

#define STORE(ptr, offset, vec) \
	Get ptr; I32WrapI64; I32Const offset; I32Add; Get vec; V128Store $0

#define ZERO(vec) \
	V128Const $0, $0; Set vec

#define SPLAT(ptr, vec) \
	Get ptr; I32WrapI64; F32Load $0; F32x4Splat; Set vec

// The bytes of a vector at even places, and those at odd ones, widened to 16 bits.
#define EVEN(vec) Get vec; I32Const $8; I16x8Shl; I32Const $8; I16x8ShrS
#define ODD(vec) Get vec; I32Const $8; I16x8ShrS

// acc += w·x, four products for each sum. Of this internal/wasmopt makes one instruction.
#define QUADS(w, x, acc) \
	EVEN(w); EVEN(x); I32x4DotI16x8S; \
	ODD(w); ODD(x); I32x4DotI16x8S; \
	I32x4Add; Get acc; I32x4Add; Set acc

// The same by sums of two products in 16 bits, of which internal/wasmopt makes one instruction.
#define PAIRS(w, x, acc) \
	EVEN(w); EVEN(x); I16x8Mul; \
	ODD(w); ODD(x); I16x8Mul; \
	I16x8Add; \
	Get V13; I32x4DotI16x8S; Get acc; I32x4Add; Set acc

#define ADVANCE(reg, bytes) \
	Get reg; I64Const bytes; I64Add; Set reg

#define BEGIN \
	MOVD rows+0(FP), R0; \
	MOVD k+8(FP), R7; \
	MOVD a+16(FP), R3; /* first row of A */ \
	MOVD sums+32(FP), R2

// Two rows: the end of the first is where the second begins.
#define PAIR \
	MOVD b+24(FP), R8; \
	Get R3; Get R7; I64Add; Tee R4; \
	Set R9; \
	ZERO(V0); ZERO(V1); ZERO(V2); ZERO(V3); \
	ZERO(V4); ZERO(V5); ZERO(V6); ZERO(V7)

// Four terms of 16 columns, until all are done.
#define TERMS(DOT) \
	LOAD(R8, $0, V8); LOAD(R8, $16, V9); LOAD(R8, $32, V10); LOAD(R8, $48, V11); \
	SPLAT(R3, V12); \
	DOT(V8, V12, V0); DOT(V9, V12, V1); DOT(V10, V12, V2); DOT(V11, V12, V3); \
	SPLAT(R4, V12); \
	DOT(V8, V12, V4); DOT(V9, V12, V5); DOT(V10, V12, V6); DOT(V11, V12, V7); \
	ADVANCE(R8, $64); \
	ADVANCE(R4, $4); \
	Get R3; I64Const $4; I64Add; Tee R3; \
	Get R9; I64LtU; BrIf $0

// The sums of two rows, until all are done. The next row of A is behind the second.
#define STOREPAIR \
	STORE(R2, $0, V0); STORE(R2, $16, V1); STORE(R2, $32, V2); STORE(R2, $48, V3); \
	STORE(R2, $64, V4); STORE(R2, $80, V5); STORE(R2, $96, V6); STORE(R2, $112, V7); \
	ADVANCE(R2, $128); \
	Get R4; Set R3; \
	Get R0; I64Const $2; I64Sub; Tee R0; \
	I64Const $0; I64GtS; BrIf $0

// func bytesQuads16(rows, k int, a *uint8, b *int8, sums *int32)
// rows is even and positive, k a multiple of 4 and positive.
TEXT ·bytesQuads16(SB), NOSPLIT, $0-40
	BEGIN
	Loop
		PAIR
		Loop
			TERMS(QUADS)
		End
		STOREPAIR
	End
	RET

// func bytesPairs16(rows, k int, a *uint8, b *int8, sums *int32)
TEXT ·bytesPairs16(SB), NOSPLIT, $0-40
	BEGIN
	V128Const $0x0001000100010001, $0x0001000100010001; Set V13
	Loop
		PAIR
		Loop
			TERMS(PAIRS)
		End
		STOREPAIR
	End
	RET
