// match/healthy_lines.h: what logs of builds that go well are full of.
#ifndef CUDADOCTOR_MATCH_HEALTHY_LINES_H_
#define CUDADOCTOR_MATCH_HEALTHY_LINES_H_

#include <array>
#include <string_view>

namespace cudadoctor {

// One line of each kind that is printed hundreds of times, in lower case. A word that stands in one
// of them is no good to search for: nearly every line would be a candidate.
inline constexpr std::array<std::string_view, 27> kHealthyLines = {
    "collecting numpy==2.1.0 (from -r requirements.txt (line 1)) using cached downloading "
    "torch-2.10.0-cp312-cp312-manylinux_2_28_x86_64.whl.metadata (25 kb)",
    "downloading https://files.pythonhosted.org/packages/py3-none-any.whl (12.3 mb)  0:00:01 eta "
    "mb/s download complete downloaded",
    "requirement already satisfied: nvidia-cublas-cu12==12.8.4.1 in "
    "/opt/venv/lib/python3.12/site-packages (from torch->flash-attn) (12.8.4.1)",
    "attempting uninstall: found existing installation: preparing metadata (pyproject.toml): "
    "started",
    "copying flash_attn/ops/triton/layer_norm.py -> "
    "build/lib.linux-x86_64-cpython-312/flash_attn/ops creating running build_ext build_py "
    "egg_info",
    "adding 'flash_attn/layers/rotary.py' adding license file writing manifest file removing "
    "build/bdist.linux-x86_64/wheel",
    "[12/73] /usr/local/cuda/bin/nvcc --generate-dependencies-with-compile --dependency-output -md "
    "-mf /workspace/build/temp.linux-x86_64-cpython-312/csrc/f.o.d",
    " -i/usr/local/lib/python3/dist-packages/torch/include/torch/csrc/api/include -c -c "
    "/workspace/csrc/flash_fwd_hdim128_bf16_sm80.cu -o x.o",
    " -d__cuda_no_half_operators__ -d__cuda_no_half_conversions__ "
    "-d__cuda_no_bfloat16_conversions__ --expt-relaxed-constexpr --expt-extended-lambda",
    " --compiler-options ''\"'\"'-fpic'\"'\"'' -o3 -std=c++17 --use_fast_math -gencode "
    "arch=compute_90,code=sm_90 --threads 4 -gencode=arch=compute_80,code=[compute_80,sm_80]",
    " -dtorch_api_include_extension_h -dtorch_extension_name=flash_attn_2_cuda "
    "-d_glibcxx_use_cxx11_abi=1 -dpybind11_compiler_type -wno-unused-result -wsign-compare",
    "[13/73] c++ -mmd -mf x.o.d -dndebug -g -fwrapv -o2 -wall -fstack-protector-strong -wformat "
    "x86_64-linux-gnu-gcc -pthread -shared",
    "ptxas info    : compiling entry function '_z6kernel' for 'sm_80' ptxas info : used 255 "
    "registers, 0 bytes cmem[0] bytes stack frame, spill stores function properties for",
    "/workspace/csrc/flash_api.cpp(123): warning #177-d: variable \"tmp1\" was declared but never "
    "referenced remark: the warnings can be suppressed with",
    "/workspace/csrc/flash_api.cpp:12:3: warning: unused variable 'x' [-wunused-variable] note: in "
    "instantiation of template class in file included from in function",
    "detected during instantiation of \"void at::native::kernel<scalar_t>(const "
    "std::vector<at::tensor> &)\" at line 12 of",
    "[ 36%] building cuda object "
    "ggml/src/ggml-cuda/cmakefiles/ggml-cuda.dir/template-instances/fattn.cu.o building cxx object "
    "built target linking cxx shared library",
    "-- looking for pthread.h - found -- performing test have_foo - success",
    "-- detecting cxx compile features -- check for working cxx compiler: /usr/bin/c++ - skipped",
    "#14 4.410 #14 extracting sha256:0123456789abcdef transferring context exporting layers "
    "writing image resolve docker.io/nvidia/cuda:12.8.1-devel-ubuntu24",
    "get:12 http://archive.ubuntu.com/ubuntu noble/main amd64 packages selecting previously "
    "unselected package libfoo:amd64. preparing to unpack .../ unpacking setting up processing "
    "triggers for",
    "resolved 27 packages in 4ms prepared 3 packages in 146ms built flash-attn==2.8.3 updating",
    "info 08-23 14:02:11 [gpu_model_runner.py:3547] starting to load model loading weights took "
    "9.18 seconds warning",
    "make[2]: entering directory '/work' make[2]: leaving directory checking for gcc... yes "
    "checking whether the c compiler works... yes libtool: compile:",
    "requirement already satisfied: filelock in /opt/venv (from torch==2.10.0->flash-attn)",
    "x.cc:12:3: warning: comparison of integer expressions of different signedness "
    "[-wsign-compare]",
    "get:12 http://deb.debian.org/debian bookworm/main amd64 libfoo amd64 1.2-3 [12.3 kb] fetched",
};

}  // namespace cudadoctor

#endif  // CUDADOCTOR_MATCH_HEALTHY_LINES_H_
