// SPDX-License-Identifier: MIT
// void rh__switch(void **save, void *to): saves what a call preserves, and goes on with another
// stack.
	.text
	.globl rh__switch
	.hidden rh__switch
	.type rh__switch, @function
rh__switch:
	push %rbp
	push %rbx
	push %r12
	push %r13
	push %r14
	push %r15
	mov %rsp, (%rdi)
	mov %rsi, %rsp
	pop %r15
	pop %r14
	pop %r13
	pop %r12
	pop %rbx
	pop %rbp
	ret
	.size rh__switch, . - rh__switch
	.section .note.GNU-stack, "", @progbits
