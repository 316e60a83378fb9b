// cli/main_app.h: the command line.
#ifndef CUDADOCTOR_CLI_MAIN_APP_H_
#define CUDADOCTOR_CLI_MAIN_APP_H_

namespace cudadoctor {

// Parses the arguments, runs what they ask for and returns the exit status.
int RunApp(int argc, char** argv);

}  // namespace cudadoctor

#endif  // CUDADOCTOR_CLI_MAIN_APP_H_
