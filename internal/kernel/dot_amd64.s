#include "textflag.h"

// VDPBF16PS sum, a, b (AVX512_BF16), which the assembler does not know: sum, Z0 to
// Z15, gains the products of the pairs of bfloat16 in a and b, Z16 to Z23.
#define VDPBF16PS(a, b, sum) BYTE $0x62; BYTE $(0xB2 - 128*(sum/8)); BYTE $(8*(31 - a) + 6); BYTE $0x40; BYTE $0x52; BYTE $(0xC0 + 8*(sum%8) + b - 16)

// A row of A by a term of B: both halves of the row of sums.
#define ROW(at, a, number, left, right) \
	VPBROADCASTD at(SI), a; \
	VDPBF16PS(number, 16, left); \
	VDPBF16PS(number, 17, right)

// func dot_product(c *float32, segments *Segment, count, steps, words, aStep, bStep, rows int, accumulate bool)
//
// Eight rows of sums, a band, fill sixteen registers, and the blocks of B are read once
// for each.
TEXT ·dot_product(SB), NOSPLIT, $0-65
	MOVQ c+0(FP), AX
	MOVQ aStep+40(FP), R9
	MOVQ bStep+48(FP), R10
	MOVQ rows+56(FP), R11
	SHRQ $3, R11 // bands
	MOVBLZX accumulate+64(FP), R8
	XORQ R12, R12 // how far A has gone

band:
	TESTQ R8, R8
	JNZ load
	VPXORD Z0, Z0, Z0
	VPXORD Z1, Z1, Z1
	VPXORD Z2, Z2, Z2
	VPXORD Z3, Z3, Z3
	VPXORD Z4, Z4, Z4
	VPXORD Z5, Z5, Z5
	VPXORD Z6, Z6, Z6
	VPXORD Z7, Z7, Z7
	VPXORD Z8, Z8, Z8
	VPXORD Z9, Z9, Z9
	VPXORD Z10, Z10, Z10
	VPXORD Z11, Z11, Z11
	VPXORD Z12, Z12, Z12
	VPXORD Z13, Z13, Z13
	VPXORD Z14, Z14, Z14
	VPXORD Z15, Z15, Z15
	JMP begin

load:
	VMOVUPS (AX), Z0
	VMOVUPS 64(AX), Z1
	VMOVUPS 128(AX), Z2
	VMOVUPS 192(AX), Z3
	VMOVUPS 256(AX), Z4
	VMOVUPS 320(AX), Z5
	VMOVUPS 384(AX), Z6
	VMOVUPS 448(AX), Z7
	VMOVUPS 512(AX), Z8
	VMOVUPS 576(AX), Z9
	VMOVUPS 640(AX), Z10
	VMOVUPS 704(AX), Z11
	VMOVUPS 768(AX), Z12
	VMOVUPS 832(AX), Z13
	VMOVUPS 896(AX), Z14
	VMOVUPS 960(AX), Z15

begin:
	MOVQ segments+8(FP), R15
	MOVQ count+16(FP), R13

segment:
	MOVQ (R15), BX
	MOVQ 8(R15), DX
	ADDQ R12, BX
	ADDQ $16, R15
	MOVQ steps+24(FP), CX

step:
	MOVQ BX, SI
	MOVQ DX, DI
	MOVQ words+32(FP), R14

term:
	VMOVUPS (DI), Z16
	VMOVUPS 1024(DI), Z17
	ROW(0, Z18, 18, 0, 1)
	ROW(64, Z19, 19, 2, 3)
	ROW(128, Z20, 20, 4, 5)
	ROW(192, Z21, 21, 6, 7)
	ROW(256, Z22, 22, 8, 9)
	ROW(320, Z23, 23, 10, 11)
	ROW(384, Z18, 18, 12, 13)
	ROW(448, Z19, 19, 14, 15)
	ADDQ $4, SI
	ADDQ $64, DI
	DECQ R14
	JNZ term

	ADDQ R9, BX
	ADDQ R10, DX
	DECQ CX
	JNZ step
	DECQ R13
	JNZ segment

	VMOVUPS Z0, (AX)
	VMOVUPS Z1, 64(AX)
	VMOVUPS Z2, 128(AX)
	VMOVUPS Z3, 192(AX)
	VMOVUPS Z4, 256(AX)
	VMOVUPS Z5, 320(AX)
	VMOVUPS Z6, 384(AX)
	VMOVUPS Z7, 448(AX)
	VMOVUPS Z8, 512(AX)
	VMOVUPS Z9, 576(AX)
	VMOVUPS Z10, 640(AX)
	VMOVUPS Z11, 704(AX)
	VMOVUPS Z12, 768(AX)
	VMOVUPS Z13, 832(AX)
	VMOVUPS Z14, 896(AX)
	VMOVUPS Z15, 960(AX)
	ADDQ $1024, AX
	ADDQ $512, R12
	DECQ R11
	JNZ band
	VZEROUPPER
	RET
