/*
 * bits/shared_ptr_base.h - libstdc++'s, without the macro __noinline__ (prelude.h): it
 * names an attribute so. For clang before 16.
 */
#pragma push_macro("__noinline__")
#undef __noinline__
#include_next <bits/shared_ptr_base.h>
#pragma pop_macro("__noinline__")
