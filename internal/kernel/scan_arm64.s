#include "textflag.h"

// func scanRows(dst *int32, rows *byte, query *int16, n, c int)
//
// Sixteen bytes at a time are widened, and their products go to sixteen sums.
TEXT ·scanRows(SB), NOSPLIT, $0-40
	MOVD dst+0(FP), R0
	MOVD rows+8(FP), R1
	MOVD n+24(FP), R3

row:
	MOVD query+16(FP), R2
	MOVD c+32(FP), R4
	VEOR V0.B16, V0.B16, V0.B16
	VEOR V1.B16, V1.B16, V1.B16
	VEOR V2.B16, V2.B16, V2.B16
	VEOR V3.B16, V3.B16, V3.B16

terms:
	FMOVQ.P 16(R1), F4
	FLDPQ.P 32(R2), (F5, F6)
	VSSHLL $0, V4.B8, V7.H8
	VSSHLL2 $0, V4.B16, V16.H8
	VSMLAL V5.H4, V7.H4, V0.S4
	VSMLAL2 V5.H8, V7.H8, V1.S4
	VSMLAL V6.H4, V16.H4, V2.S4
	VSMLAL2 V6.H8, V16.H8, V3.S4
	SUB $16, R4
	CBNZ R4, terms

	VADD V1.S4, V0.S4, V0.S4
	VADD V3.S4, V2.S4, V2.S4
	VADD V2.S4, V0.S4, V0.S4
	VADDV V0.S4, V0
	FMOVS.P F0, 4(R0)
	SUB $1, R3
	CBNZ R3, row
	RET
