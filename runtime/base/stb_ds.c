/* The one place that holds stb_ds's code (a header-only library of Debian's libstb-dev). */
#define STB_DS_IMPLEMENTATION
#include <stb/stb_ds.h>
