find_path(CUDNN_INCLUDE_DIR cudnn.h HINTS $ENV{CUDNN_HOME} PATH_SUFFIXES include)
find_library(CUDNN_LIBRARY cudnn HINTS $ENV{CUDNN_HOME} PATH_SUFFIXES lib lib64)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(CUDNN REQUIRED_VARS CUDNN_LIBRARY CUDNN_INCLUDE_DIR)
