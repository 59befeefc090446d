#include "textflag.h"

// Four rows of A: their pointers from the first, in AX, and the number of terms, in CX.
#define ROWS \
	LEAQ (AX)(CX*1), R9; \
	LEAQ (AX)(CX*2), R10; \
	LEAQ (R9)(CX*2), R11

#define ADVANCE(bytes) \
	ADDQ $4, AX; \
	ADDQ $4, R9; \
	ADDQ $4, R10; \
	ADDQ $4, R11; \
	ADDQ bytes, BX; \
	SUBQ $4, CX

// func bytes4x32(k int, a *uint8, b *int8, sums *int32)
TEXT ·bytes4x32(SB), NOSPLIT, $0-32
	MOVQ k+0(FP), CX
	MOVQ a+8(FP), AX
	MOVQ b+16(FP), BX
	MOVQ sums+24(FP), DX
	ROWS
	VPXORD Z0, Z0, Z0
	VPXORD Z1, Z1, Z1
	VPXORD Z2, Z2, Z2
	VPXORD Z3, Z3, Z3
	VPXORD Z4, Z4, Z4
	VPXORD Z5, Z5, Z5
	VPXORD Z6, Z6, Z6
	VPXORD Z7, Z7, Z7

terms:
	VMOVDQU32 (BX), Z8
	VMOVDQU32 64(BX), Z9
	VPBROADCASTD (AX), Z10
	VPBROADCASTD (R9), Z11
	VPBROADCASTD (R10), Z12
	VPBROADCASTD (R11), Z13
	VPDPBUSD Z8, Z10, Z0
	VPDPBUSD Z9, Z10, Z1
	VPDPBUSD Z8, Z11, Z2
	VPDPBUSD Z9, Z11, Z3
	VPDPBUSD Z8, Z12, Z4
	VPDPBUSD Z9, Z12, Z5
	VPDPBUSD Z8, Z13, Z6
	VPDPBUSD Z9, Z13, Z7
	ADVANCE($128)
	JNZ terms

	VMOVDQU32 Z0, (DX)
	VMOVDQU32 Z1, 64(DX)
	VMOVDQU32 Z2, 128(DX)
	VMOVDQU32 Z3, 192(DX)
	VMOVDQU32 Z4, 256(DX)
	VMOVDQU32 Z5, 320(DX)
	VMOVDQU32 Z6, 384(DX)
	VMOVDQU32 Z7, 448(DX)
	VZEROUPPER
	RET

// Four terms of a row by those of both halves of the columns. The pairs' sums have 16 bits,
// which they stay within.
#define ROW(a, left, right) \
	VPBROADCASTD (a), Y10; \
	VPMADDUBSW Y8, Y10, Y11; \
	VPMADDUBSW Y9, Y10, Y12; \
	VPMADDWD Y15, Y11, Y11; \
	VPMADDWD Y15, Y12, Y12; \
	VPADDD Y11, left, left; \
	VPADDD Y12, right, right

// func bytes4x16(k, width int, a *uint8, b *int8, sums *int32)
TEXT ·bytes4x16(SB), NOSPLIT, $0-40
	MOVQ k+0(FP), CX
	MOVQ width+8(FP), R8
	SHLQ $2, R8 // four terms of all columns, and a row of sums
	MOVQ a+16(FP), AX
	MOVQ b+24(FP), BX
	MOVQ sums+32(FP), DX
	ROWS
	VPXOR Y0, Y0, Y0
	VPXOR Y1, Y1, Y1
	VPXOR Y2, Y2, Y2
	VPXOR Y3, Y3, Y3
	VPXOR Y4, Y4, Y4
	VPXOR Y5, Y5, Y5
	VPXOR Y6, Y6, Y6
	VPXOR Y7, Y7, Y7
	VPCMPEQW Y15, Y15, Y15
	VPSRLW $15, Y15, Y15 // ones

terms:
	VMOVDQU (BX), Y8
	VMOVDQU 32(BX), Y9
	ROW(AX, Y0, Y1)
	ROW(R9, Y2, Y3)
	ROW(R10, Y4, Y5)
	ROW(R11, Y6, Y7)
	ADVANCE(R8)
	JNZ terms

	VMOVDQU Y0, (DX)
	VMOVDQU Y1, 32(DX)
	ADDQ R8, DX
	VMOVDQU Y2, (DX)
	VMOVDQU Y3, 32(DX)
	ADDQ R8, DX
	VMOVDQU Y4, (DX)
	VMOVDQU Y5, 32(DX)
	ADDQ R8, DX
	VMOVDQU Y6, (DX)
	VMOVDQU Y7, 32(DX)
	VZEROUPPER
	RET
