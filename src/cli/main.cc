#include "cli/main_app.h"

int main(int argc, char** argv) { return cudadoctor::RunApp(argc, argv); }
