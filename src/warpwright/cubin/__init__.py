"""Machine code: ELF sections of a cubin, its line table, its disassembly."""
