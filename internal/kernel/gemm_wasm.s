#include "textflag.h"

// The sums stay in V0–V7 (V0–V3 the first row, V4–V7 the second) for the
// whole sum over k; V8–V11 hold a row of B, V12 a float of A four times over.
// V128Store ignores its offset, so addresses are added up before it.

#define LOAD(ptr, offset, vec) \
	Get ptr; I32WrapI64; V128Load offset; Set vec

#define STORE(ptr, offset, vec) \
	Get ptr; I32WrapI64; I32Const offset; I32Add; Get vec; V128Store $0

#define ZERO(vec) \
	V128Const $0, $0; Set vec

// The assembler writes this load without its alignment and offset, which are the bytes of
// the two instructions behind it: 1 and 0. It takes half as long as a load and a splat.
#define SPLAT(ptr, vec) \
	Get ptr; I32WrapI64; V128Load32Splat; Nop; Unreachable; Set vec

// acc += a·b, in the order that internal/wasmopt fuses to one instruction
#define MULADD(a, b, acc) \
	Get a; Get b; F32x4Mul; Get acc; F32x4Add; Set acc

// The end of a layer: min(leaky(sum + bias), most), with slope in V13 and most in V14.
#define END(bias, sum) \
	Get sum; Get bias; F32x4Add; Tee sum; \
	Get sum; Get V13; F32x4Mul; F32x4Max; Get V14; F32x4Min; Set sum

#define FILL(argument, vec) \
	F32Load argument; F32x4Splat; Set vec

#define BYTES(reg) \
	Get reg; I64Const $2; I64Shl; Set reg

#define ADVANCE(reg, bytes) \
	Get reg; I64Const bytes; I64Add; Set reg

// func gemm2x16(m, k, lda, ldc int, a, b, c, from, bias *float32, slope, most float32)
// m is even and positive.
TEXT ·gemm2x16(SB), NOSPLIT, $0-80
	MOVD m+0(FP), R0
	MOVD k+8(FP), R7
	MOVD lda+16(FP), R5
	MOVD ldc+24(FP), R6
	MOVD a+32(FP), R1
	MOVD c+48(FP), R2
	MOVD from+56(FP), R11
	BYTES(R5)
	BYTES(R6)
	BYTES(R7)
	Loop // over pairs of rows
		Get R1; Set R3             // R3: first row of A
		Get R1; Get R5; I64Add; Set R4   // R4: second row of A
		Get R1; Get R7; I64Add; Set R9   // R9: end of the first row
		Get R2; Get R6; I64Add; Set R10  // R10: second row of C
		MOVD b+40(FP), R8
		Get R11; I64Const $0; I64Ne
		If
			LOAD(R11, $0, V0)
			LOAD(R11, $16, V1)
			LOAD(R11, $32, V2)
			LOAD(R11, $48, V3)
			Get R11; Get R6; I64Add; Set R11
			LOAD(R11, $0, V4)
			LOAD(R11, $16, V5)
			LOAD(R11, $32, V6)
			LOAD(R11, $48, V7)
			Get R11; Get R6; I64Add; Set R11
		Else
			ZERO(V0)
			ZERO(V1)
			ZERO(V2)
			ZERO(V3)
			ZERO(V4)
			ZERO(V5)
			ZERO(V6)
			ZERO(V7)
		End
		Loop // over k
			LOAD(R8, $0, V8)
			LOAD(R8, $16, V9)
			LOAD(R8, $32, V10)
			LOAD(R8, $48, V11)
			SPLAT(R3, V12)
			MULADD(V12, V8, V0)
			MULADD(V12, V9, V1)
			MULADD(V12, V10, V2)
			MULADD(V12, V11, V3)
			SPLAT(R4, V12)
			MULADD(V12, V8, V4)
			MULADD(V12, V9, V5)
			MULADD(V12, V10, V6)
			MULADD(V12, V11, V7)
			ADVANCE(R8, $64)
			ADVANCE(R4, $4)
			Get R3; I64Const $4; I64Add; Tee R3
			Get R9
			I64LtU
			BrIf $0
		End
		MOVD bias+64(FP), R12
		Get R12; I64Const $0; I64Ne
		If
			FILL(slope+72(FP), V13)
			FILL(most+76(FP), V14)
			LOAD(R12, $0, V8)
			LOAD(R12, $16, V9)
			LOAD(R12, $32, V10)
			LOAD(R12, $48, V11)
			END(V8, V0)
			END(V9, V1)
			END(V10, V2)
			END(V11, V3)
			END(V8, V4)
			END(V9, V5)
			END(V10, V6)
			END(V11, V7)
		End
		STORE(R2, $0, V0)
		STORE(R2, $16, V1)
		STORE(R2, $32, V2)
		STORE(R2, $48, V3)
		STORE(R10, $0, V4)
		STORE(R10, $16, V5)
		STORE(R10, $32, V6)
		STORE(R10, $48, V7)
		Get R4; Get R7; I64Sub; Get R5; I64Add; Set R1
		Get R10; Get R6; I64Add; Set R2
		Get R0; I64Const $2; I64Sub; Tee R0
		I64Const $0
		I64GtS
		BrIf $0
	End
	RET

// func gemm1x16(k int, a, b, c, from, bias *float32, slope, most float32)
TEXT ·gemm1x16(SB), NOSPLIT, $0-56
	MOVD k+0(FP), R7
	MOVD a+8(FP), R3
	MOVD b+16(FP), R8
	MOVD c+24(FP), R2
	MOVD from+32(FP), R11
	BYTES(R7)
	Get R3; Get R7; I64Add; Set R9
	Get R11; I64Const $0; I64Ne
	If
		LOAD(R11, $0, V0)
		LOAD(R11, $16, V1)
		LOAD(R11, $32, V2)
		LOAD(R11, $48, V3)
	Else
		ZERO(V0)
		ZERO(V1)
		ZERO(V2)
		ZERO(V3)
	End
	Loop
		LOAD(R8, $0, V8)
		LOAD(R8, $16, V9)
		LOAD(R8, $32, V10)
		LOAD(R8, $48, V11)
		SPLAT(R3, V12)
		MULADD(V12, V8, V0)
		MULADD(V12, V9, V1)
		MULADD(V12, V10, V2)
		MULADD(V12, V11, V3)
		ADVANCE(R8, $64)
		Get R3; I64Const $4; I64Add; Tee R3
		Get R9
		I64LtU
		BrIf $0
	End
	MOVD bias+40(FP), R12
	Get R12; I64Const $0; I64Ne
	If
		FILL(slope+48(FP), V13)
		FILL(most+52(FP), V14)
		LOAD(R12, $0, V8)
		LOAD(R12, $16, V9)
		LOAD(R12, $32, V10)
		LOAD(R12, $48, V11)
		END(V8, V0)
		END(V9, V1)
		END(V10, V2)
		END(V11, V3)
	End
	STORE(R2, $0, V0)
	STORE(R2, $16, V1)
	STORE(R2, $32, V2)
	STORE(R2, $48, V3)
	RET
