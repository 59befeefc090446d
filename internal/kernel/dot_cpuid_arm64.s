//go:build !darwin

#include "textflag.h"

// func attributes() uint64
TEXT ·attributes(SB), NOSPLIT, $0-8
	MRS ID_AA64ISAR1_EL1, R0
	MOVD R0, ret+0(FP)
	RET
