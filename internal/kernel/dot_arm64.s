#include "textflag.h"

// BFDOT sum, v, a[i] (FEAT_BF16), which the assembler does not know: each of the four sums
// gains the products of a pair of bfloat16 of v with the i-th pair of a.
#define BFDOT(sum, v, a, i) WORD $(0x4f40f000 + (i%2)<<21 + a<<16 + (i/2)<<11 + v<<5 + sum)

#define ROW(s0, s1, s2, s3, v, a, i) \
	BFDOT(s0, v, a, i); \
	BFDOT(s1, (v+1), a, i); \
	BFDOT(s2, (v+2), a, i); \
	BFDOT(s3, (v+3), a, i)

// A term of B, which is a pair, in four registers from v on, by that of four rows of A.
#define TERM(v, i) \
	ROW(0, 1, 2, 3, v, 16, i); \
	ROW(4, 5, 6, 7, v, 17, i); \
	ROW(8, 9, 10, 11, v, 18, i); \
	ROW(12, 13, 14, 15, v, 19, i)

// A term of B, and the one behind, which is loaded while the one before is multiplied.
#define COLUMNS \
	FLDPQ.P 32(R14), (F20, F21); \
	FLDPQ.P 32(R14), (F22, F23)

#define BEHIND \
	FLDPQ.P 32(R14), (F24, F25); \
	FLDPQ.P 32(R14), (F26, F27)

#define CLEAR(v) VEOR v.B16, v.B16, v.B16

// func dot_product(c *float32, segments *Segment, count, steps, words, aStep, bStep, rows int, accumulate bool)
//
// Four rows of half of the columns fill sixteen registers: a band has two such halves, and
// the blocks of B are read once for each band.
TEXT ·dot_product(SB), NOSPLIT, $0-65
	MOVD c+0(FP), R0
	MOVD aStep+40(FP), R9
	MOVD bStep+48(FP), R10
	MOVD rows+56(FP), R11
	LSR $2, R11 // bands
	MOVBU accumulate+64(FP), R8
	MOVD words+32(FP), R6
	LSR $2, R6 // four at a time
	MOVD ZR, R12 // how far A has gone

band:
	MOVD ZR, R13 // where the half lies in a block of B

half:
	CBNZ R8, load
	CLEAR(V0)
	CLEAR(V1)
	CLEAR(V2)
	CLEAR(V3)
	CLEAR(V4)
	CLEAR(V5)
	CLEAR(V6)
	CLEAR(V7)
	CLEAR(V8)
	CLEAR(V9)
	CLEAR(V10)
	CLEAR(V11)
	CLEAR(V12)
	CLEAR(V13)
	CLEAR(V14)
	CLEAR(V15)
	JMP begin

load:
	FLDPQ (R0), (F0, F1)
	FLDPQ 32(R0), (F2, F3)
	FLDPQ 128(R0), (F4, F5)
	FLDPQ 160(R0), (F6, F7)
	FLDPQ 256(R0), (F8, F9)
	FLDPQ 288(R0), (F10, F11)
	FLDPQ 384(R0), (F12, F13)
	FLDPQ 416(R0), (F14, F15)

begin:
	MOVD segments+8(FP), R15
	MOVD count+16(FP), R16

segment:
	LDP.P 16(R15), (R1, R2)
	ADD R12, R1
	ADD R13, R2
	MOVD steps+24(FP), R3

step:
	MOVD R1, R4
	MOVD R2, R14
	MOVD R6, R5

terms:
	FMOVQ 64(R4), F17
	FMOVQ 128(R4), F18
	FMOVQ 192(R4), F19
	FMOVQ.P 16(R4), F16
	COLUMNS
	BEHIND
	TERM(20, 0)
	COLUMNS
	TERM(24, 1)
	BEHIND
	TERM(20, 2)
	TERM(24, 3)
	SUB $1, R5
	CBNZ R5, terms

	ADD R9, R1
	ADD R10, R2
	SUB $1, R3
	CBNZ R3, step
	SUB $1, R16
	CBNZ R16, segment

	FSTPQ (F0, F1), (R0)
	FSTPQ (F2, F3), 32(R0)
	FSTPQ (F4, F5), 128(R0)
	FSTPQ (F6, F7), 160(R0)
	FSTPQ (F8, F9), 256(R0)
	FSTPQ (F10, F11), 288(R0)
	FSTPQ (F12, F13), 384(R0)
	FSTPQ (F14, F15), 416(R0)
	CBNZ R13, next
	MOVD $1024, R13
	ADD $64, R0
	JMP half

next:
	ADD $448, R0
	ADD $256, R12
	SUB $1, R11
	CBNZ R11, band
	RET
