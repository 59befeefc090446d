#include "textflag.h"

// SDOT sum, v, a[i] (FEAT_DotProd), which the assembler does not know: each of the four
// sums gains the products of four bytes of v with the i-th four of a.
#define SDOT(sum, v, a, i) WORD $(0x4f80e000 + (i%2)<<21 + a<<16 + (i/2)<<11 + (v)<<5 + sum)

// SADALP sum, v: each of the four sums gains two of the eight numbers of v.
#define SADALP(v, sum) WORD $(0x4e606800 + v<<5 + sum)

// Four rows of A: their pointers from the first, in R1, and the number of terms, in R0.
#define ROWS \
	ADD R0, R1, R4; \
	ADD R0, R4, R5; \
	ADD R0, R5, R6

// Sixteen terms of each row.
#define TERMS \
	FMOVQ.P 16(R1), F16; \
	FMOVQ.P 16(R4), F17; \
	FMOVQ.P 16(R5), F18; \
	FMOVQ.P 16(R6), F19

// Four terms of sixteen columns.
#define COLUMNS \
	FLDPQ.P 32(R2), (F20, F21); \
	FLDPQ.P 32(R2), (F22, F23)

#define CLEAR(v) VEOR v.B16, v.B16, v.B16

#define CLEARALL \
	CLEAR(V0); CLEAR(V1); CLEAR(V2); CLEAR(V3); CLEAR(V4); CLEAR(V5); CLEAR(V6); CLEAR(V7); \
	CLEAR(V8); CLEAR(V9); CLEAR(V10); CLEAR(V11); CLEAR(V12); CLEAR(V13); CLEAR(V14); CLEAR(V15)

#define STOREALL \
	FSTPQ (F0, F1), (R3); \
	FSTPQ (F2, F3), 32(R3); \
	FSTPQ (F4, F5), 64(R3); \
	FSTPQ (F6, F7), 96(R3); \
	FSTPQ (F8, F9), 128(R3); \
	FSTPQ (F10, F11), 160(R3); \
	FSTPQ (F12, F13), 192(R3); \
	FSTPQ (F14, F15), 224(R3)

// The four terms behind those: they are loaded while the ones before are multiplied.
#define BEHIND \
	FLDPQ.P 32(R2), (F24, F25); \
	FLDPQ.P 32(R2), (F26, F27)

#define DOTROW(s0, s1, s2, s3, v, a, i) \
	SDOT(s0, v, a, i); \
	SDOT(s1, (v+1), a, i); \
	SDOT(s2, (v+2), a, i); \
	SDOT(s3, (v+3), a, i)

#define DOTS(v, i) \
	DOTROW(0, 1, 2, 3, v, 16, i); \
	DOTROW(4, 5, 6, 7, v, 17, i); \
	DOTROW(8, 9, 10, 11, v, 18, i); \
	DOTROW(12, 13, 14, 15, v, 19, i)

// func bytesDot4x16(k int, a *uint8, b *int8, sums *int32)
TEXT ·bytesDot4x16(SB), NOSPLIT, $0-32
	MOVD k+0(FP), R0
	MOVD a+8(FP), R1
	MOVD b+16(FP), R2
	MOVD sums+24(FP), R3
	ROWS
	CLEARALL

terms:
	TERMS
	COLUMNS
	BEHIND
	DOTS(20, 0)
	COLUMNS
	DOTS(24, 1)
	BEHIND
	DOTS(20, 2)
	DOTS(24, 3)
	SUB $16, R0
	CBNZ R0, terms

	STOREALL
	RET

// Four terms of a row, in V24, by those of four columns. The pairs' sums have 16 bits, which
// they stay within.
#define PAIRS(v, sum) \
	VSMULL v.B8, V24.B8, V25.H8; \
	VSMULL2 v.B16, V24.B16, V26.H8; \
	VADDP V26.H8, V25.H8, V25.H8; \
	SADALP(25, sum)

#define PAIRROW(s0, s1, s2, s3, a, i) \
	VDUP a.S[i], V24.S4; \
	PAIRS(V20, s0); \
	PAIRS(V21, s1); \
	PAIRS(V22, s2); \
	PAIRS(V23, s3)

#define ALLPAIRS(i) \
	COLUMNS; \
	PAIRROW(0, 1, 2, 3, V16, i); \
	PAIRROW(4, 5, 6, 7, V17, i); \
	PAIRROW(8, 9, 10, 11, V18, i); \
	PAIRROW(12, 13, 14, 15, V19, i)

// func bytesPairs4x16(k int, a *uint8, b *int8, sums *int32)
TEXT ·bytesPairs4x16(SB), NOSPLIT, $0-32
	MOVD k+0(FP), R0
	MOVD a+8(FP), R1
	MOVD b+16(FP), R2
	MOVD sums+24(FP), R3
	ROWS
	CLEARALL

terms:
	TERMS
	ALLPAIRS(0)
	ALLPAIRS(1)
	ALLPAIRS(2)
	ALLPAIRS(3)
	SUB $16, R0
	CBNZ R0, terms

	STOREALL
	RET
