ws_doc(passes docs/gen/passes_md.c docs/passes.md)
