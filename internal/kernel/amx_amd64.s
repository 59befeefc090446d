#include "textflag.h"

// The instructions of AMX, which the assembler does not know. Tiles 0 to 3 are the
// sums, 4 and 5 the tiles of A, 6 and 7 those of B. CX holds the distance of the
// rows of A and B, 64 bytes, DX that of the sums, 128 bytes.
#define LDTILECFG_AX BYTE $0xC4; BYTE $0xE2; BYTE $0x78; BYTE $0x49; BYTE $0x00
#define TILERELEASE BYTE $0xC4; BYTE $0xE2; BYTE $0x78; BYTE $0x49; BYTE $0xC0
#define TILEZERO(t) BYTE $0xC4; BYTE $0xE2; BYTE $0x7B; BYTE $0x49; BYTE $(0xC0 + 8*t)
// TILELOADD disp(SI)(CX*1), disp(DI)(CX*1), disp(AX)(DX*1); TILESTORED of the last.
#define TILELOAD_SI(t, d0, d1) BYTE $0xC4; BYTE $0xE2; BYTE $0x7B; BYTE $0x4B; BYTE $(0x84 + 8*t); BYTE $0x0E; BYTE $d0; BYTE $d1; BYTE $0; BYTE $0
#define TILELOAD_DI(t, d0, d1) BYTE $0xC4; BYTE $0xE2; BYTE $0x7B; BYTE $0x4B; BYTE $(0x84 + 8*t); BYTE $0x0F; BYTE $d0; BYTE $d1; BYTE $0; BYTE $0
#define TILELOAD_AX(t, d0, d1) BYTE $0xC4; BYTE $0xE2; BYTE $0x7B; BYTE $0x4B; BYTE $(0x84 + 8*t); BYTE $0x10; BYTE $d0; BYTE $d1; BYTE $0; BYTE $0
#define TILESTORE_AX(t, d0, d1) BYTE $0xC4; BYTE $0xE2; BYTE $0x7A; BYTE $0x4B; BYTE $(0x84 + 8*t); BYTE $0x10; BYTE $d0; BYTE $d1; BYTE $0; BYTE $0
// TDPBF16PS: sum += a·b.
#define TDPBF16PS(sum, a, b) BYTE $0xC4; BYTE $0xE2; BYTE $(0x7A - 8*b); BYTE $0x5C; BYTE $(0xC0 + 8*sum + a)

// The configuration: eight tiles of 16 rows of 64 bytes.
DATA ·amxConfig+0(SB)/8, $0x0000000000000001
DATA ·amxConfig+8(SB)/8, $0
DATA ·amxConfig+16(SB)/8, $0x0040004000400040
DATA ·amxConfig+24(SB)/8, $0x0040004000400040
DATA ·amxConfig+32(SB)/8, $0
DATA ·amxConfig+40(SB)/8, $0
DATA ·amxConfig+48(SB)/8, $0x1010101010101010
DATA ·amxConfig+56(SB)/8, $0
GLOBL ·amxConfig(SB), RODATA|NOPTR, $64

// func amx_product(c *float32, segments *Segment, count, steps, aStep, bStep, chunks int, accumulate bool)
TEXT ·amx_product(SB), NOSPLIT, $0-57
	LEAQ ·amxConfig(SB), AX
	LDTILECFG_AX
	MOVQ c+0(FP), AX
	MOVQ aStep+32(FP), R9
	MOVQ bStep+40(FP), R10
	MOVQ chunks+48(FP), R11
	MOVBLZX accumulate+56(FP), R8
	MOVQ $64, CX
	MOVQ $128, DX
	XORQ R12, R12 // how far A has gone

chunk:
	TESTQ R8, R8
	JNZ load
	TILEZERO(0)
	TILEZERO(1)
	TILEZERO(2)
	TILEZERO(3)
	JMP begin

load:
	TILELOAD_AX(0, 0, 0)
	TILELOAD_AX(1, 64, 0)
	TILELOAD_AX(2, 0, 8)
	TILELOAD_AX(3, 64, 8)

begin:
	MOVQ segments+8(FP), R15
	MOVQ count+16(FP), R13

segment:
	MOVQ (R15), SI
	MOVQ 8(R15), DI
	ADDQ R12, SI
	ADDQ $16, R15
	MOVQ steps+24(FP), BX

step:
	TILELOAD_SI(4, 0, 0)
	TILELOAD_DI(6, 0, 0)
	TILELOAD_SI(5, 0, 4)
	TILELOAD_DI(7, 0, 4)
	TDPBF16PS(0, 4, 6)
	TDPBF16PS(1, 4, 7)
	TDPBF16PS(2, 5, 6)
	TDPBF16PS(3, 5, 7)
	ADDQ R9, SI
	ADDQ R10, DI
	DECQ BX
	JNZ step
	DECQ R13
	JNZ segment

	TILESTORE_AX(0, 0, 0)
	TILESTORE_AX(1, 64, 0)
	TILESTORE_AX(2, 0, 8)
	TILESTORE_AX(3, 64, 8)
	ADDQ $4096, AX
	ADDQ $2048, R12
	DECQ R11
	JNZ chunk
	TILERELEASE
	RET

// func amx_product_split(c *float32, segments *Segment, count, steps, aStep, bStep, aRest, bRest, chunks int)
TEXT ·amx_product_split(SB), NOSPLIT, $0-72
	LEAQ ·amxConfig(SB), AX
	LDTILECFG_AX
	MOVQ c+0(FP), AX
	MOVQ aStep+32(FP), R9
	MOVQ bStep+40(FP), R10
	MOVQ chunks+64(FP), R11
	MOVQ $64, CX
	MOVQ $128, DX
	XORQ R12, R12 // how far A has gone

chunk:
	TILEZERO(0)
	TILEZERO(1)
	TILEZERO(2)
	TILEZERO(3)
	MOVQ segments+8(FP), R15
	MOVQ count+16(FP), R13

segment:
	MOVQ (R15), SI
	MOVQ 8(R15), DI
	ADDQ R12, SI
	ADDQ $16, R15
	MOVQ steps+24(FP), BX

step:
	// The rest of A by B, then A by B, then A by the rest of B: each pair of tiles
	// is loaded once.
	MOVQ SI, R8
	ADDQ aRest+48(FP), SI
	TILELOAD_SI(4, 0, 0)
	TILELOAD_DI(6, 0, 0)
	TILELOAD_SI(5, 0, 4)
	TILELOAD_DI(7, 0, 4)
	MOVQ R8, SI
	TDPBF16PS(0, 4, 6)
	TDPBF16PS(1, 4, 7)
	TDPBF16PS(2, 5, 6)
	TDPBF16PS(3, 5, 7)
	TILELOAD_SI(4, 0, 0)
	TILELOAD_SI(5, 0, 4)
	MOVQ DI, R8
	ADDQ bRest+56(FP), DI
	TDPBF16PS(0, 4, 6)
	TDPBF16PS(1, 4, 7)
	TDPBF16PS(2, 5, 6)
	TDPBF16PS(3, 5, 7)
	TILELOAD_DI(6, 0, 0)
	TILELOAD_DI(7, 0, 4)
	MOVQ R8, DI
	TDPBF16PS(0, 4, 6)
	TDPBF16PS(1, 4, 7)
	TDPBF16PS(2, 5, 6)
	TDPBF16PS(3, 5, 7)
	ADDQ R9, SI
	ADDQ R10, DI
	DECQ BX
	JNZ step
	DECQ R13
	JNZ segment

	TILESTORE_AX(0, 0, 0)
	TILESTORE_AX(1, 64, 0)
	TILESTORE_AX(2, 0, 8)
	TILESTORE_AX(3, 64, 8)
	ADDQ $4096, AX
	ADDQ $2048, R12
	DECQ R11
	JNZ chunk
	TILERELEASE
	RET
