"""NVIDIA's apt repository for Debian 12, as far as scenarios need it: CUDA 13.0 of real files (PyPI's wheels), without signatures.

The packages have the names, the dependencies and the places of the real ones. libnccl-dev, libcudnn9-dev-cuda-13 and libnvinfer-headers-dev hold headers and
empty libraries.
"""
import gzip
import hashlib
import shutil
import subprocess

REPOSITORY = "compute/cuda/repos/debian12/x86_64"
LIST = "deb [trusted=yes] https://developer.download.nvidia.com/compute/cuda/repos/debian12/x86_64/ /\n"
PARTS = {   # package: the wheels whose files it holds
    "cuda-nvcc-13-0": ("nvidia-cuda-nvcc==13.0.88", "nvidia-cuda-crt==13.0.88", "nvidia-nvvm==13.0.88"),
    "cuda-cudart-dev-13-0": ("nvidia-cuda-runtime==13.0.96",),
    "cuda-cccl-13-0": ("nvidia-cuda-cccl==13.0.85",),
    "cuda-nvtx-13-0": ("nvidia-nvtx==13.0.85",),
    "cuda-profiler-api-13-0": ("nvidia-cuda-profiler-api==13.0.85",),
    "cuda-nvrtc-dev-13-0": ("nvidia-cuda-nvrtc==13.0.88",),
    "libcublas-dev-13-0": ("nvidia-cublas==13.1.0.3",),
    "libcusparse-dev-13-0": ("nvidia-cusparse==12.6.3.3",),
    "libcusolver-dev-13-0": ("nvidia-cusolver==12.0.4.66",),
    "libcurand-dev-13-0": ("nvidia-curand==10.4.0.35",),
    "libcufft-dev-13-0": ("nvidia-cufft==12.0.0.61",),
    "libnvjitlink-dev-13-0": ("nvidia-nvjitlink==13.0.88",),
}
WITH_LIBRARIES = ("cuda-nvcc-13-0", "cuda-cudart-dev-13-0")
META = {
    "cuda-libraries-dev-13-0": "cuda-cudart-dev-13-0, cuda-cccl-13-0, cuda-profiler-api-13-0, cuda-nvrtc-dev-13-0, libcublas-dev-13-0, libcusparse-dev-13-0, libcusolver-dev-13-0, libcurand-dev-13-0, "
                               "libcufft-dev-13-0, libnvjitlink-dev-13-0",
    "cuda-compiler-13-0": "cuda-nvcc-13-0, cuda-cccl-13-0, cuda-cudart-dev-13-0",
    "cuda-toolkit-13-0": "cuda-compiler-13-0, cuda-libraries-dev-13-0, cuda-nvtx-13-0",
    "cuda-toolkit-13": "cuda-toolkit-13-0",
    "cuda-toolkit": "cuda-toolkit-13-0",
}
ALTERNATIVE = "#!/bin/sh\nupdate-alternatives --install /usr/local/cuda cuda /usr/local/cuda-13.0 130 >/dev/null\n"
NCCL = "#pragma once\n#define NCCL_MAJOR 2\n#define NCCL_VERSION_CODE 22809\nextern \"C\" int ncclGetVersion(int*);\n"
CUDNN = "#pragma once\n#define CUDNN_MAJOR 9\n#define CUDNN_VERSION 91900\n"
TENSORRT = "#pragma once\n#define NV_TENSORRT_MAJOR 10\n"


def control(name, version, depends="", architecture="amd64"):
    return (f"Package: {name}\nVersion: {version}\nArchitecture: {architecture}\nMaintainer: closed-loop <stand-in@example.org>\n"
            f"{f'Depends: {depends}' + chr(10) if depends else ''}Section: devel\nPriority: optional\nDescription: stand-in for {name}\n")


def deb(out, tree, name, version, depends="", architecture="amd64", postinst=""):
    (tree / "DEBIAN").mkdir(parents=True, exist_ok=True)
    (tree / "DEBIAN/control").write_text(control(name, version, depends, architecture))
    if postinst:
        (tree / "DEBIAN/postinst").write_text(postinst)
        (tree / "DEBIAN/postinst").chmod(0o755)
    tree.chmod(0o755)
    path = out / f"{name}_{version}_{architecture}.deb"
    subprocess.run(["dpkg-deb", "-Zgzip", "-z1", "--root-owner-group", "-b", str(tree), str(path)], check=True, stdout=subprocess.DEVNULL)
    return path


OTHER = ("12.3", "12.4", "12.5", "12.6", "12.8", "12.9", "13.1", "13.2")   # those that NVIDIA has for Debian 12 besides
NVCC = """#!/bin/sh
# Stands in for nvcc {version}: says so, and compiles as 13.0 does.
for word; do case $word in --version|-V)
  printf 'nvcc: NVIDIA (R) Cuda compiler driver\\nCopyright (c) 2005-2025 NVIDIA Corporation\\nCuda compilation tools, release {version}, V{version}.93\\n'; exit 0;; esac; done
exec /usr/local/cuda-13.0/bin/nvcc "$@"
"""


def libraries(out, work):
    """cuDNN, NCCL and TensorRT: a header and an empty library each."""
    for name, header, text, library in (("libnccl-dev", "nccl.h", NCCL, "libnccl"), ("libcudnn9-headers-cuda-13", "cudnn.h", CUDNN, "libcudnn"), ("libnvinfer-headers-dev", "NvInfer.h", TENSORRT, None)):
        include, place = work / name / "usr/include", work / name / "usr/lib/x86_64-linux-gnu"
        include.mkdir(parents=True)
        place.mkdir(parents=True)
        (include / header).write_text(text)
        if library:
            source = "int ncclGetVersion(int* v) { *v = 22809; return 0; }\n" if library == "libnccl" else ""
            subprocess.run(["gcc", "-shared", "-o", str(place / f"{library}.so"), "-x", "c", "-"], input=source, text=True, check=True)
        deb(out, work / name, name, "9.0.0-1")
    depends = {"libnvinfer-plugin-dev": "libnvinfer-dev", "libnvonnxparsers-dev": "libnvinfer-dev", "libnvinfer-dev": "libnvinfer-headers-dev", "tensorrt-dev": "libnvinfer-dev", "tensorrt": "libnvinfer-dev", "libnccl2": "", "cudnn": "cudnn9-cuda-13", "cudnn9": "cudnn9-cuda-13"}
    for major in ("12", "13"):
        depends |= {f"cudnn9-cuda-{major}": f"libcudnn9-dev-cuda-{major}", f"cudnn-cuda-{major}": f"cudnn9-cuda-{major}", f"libcudnn9-dev-cuda-{major}": "libcudnn9-headers-cuda-13",
                    f"libcudnn9-cuda-{major}": ""}
    for name, needs in depends.items():
        deb(out, work / name, name, "9.0.0-1", needs)


def toolkits(out, work):
    """Toolkits of other versions: the files of 13.0 under their own name, with an nvcc that says its version."""
    for version in OTHER:
        dashed = version.replace(".", "-")
        place = work / f"toolkit-{dashed}" / f"usr/local/cuda-{version}"
        (place / "bin").mkdir(parents=True)
        for name in ("include", "lib", "nvvm"):
            (place / name).symlink_to(f"../cuda-13.0/{name}")
        (place / "lib64").symlink_to("lib")
        (place / "bin/nvcc").write_text(NVCC.format(version=version))
        (place / "bin/nvcc").chmod(0o755)
        for name in ("ptxas", "cudafe++", "fatbinary", "nvlink", "bin2c", "crt", "nvcc.profile"):
            (place / "bin" / name).symlink_to(f"../../cuda-13.0/bin/{name}")
        deb(out, work / f"toolkit-{dashed}", f"cuda-toolkit-{dashed}", f"{version}.1-1", "cuda-toolkit-13-0")


def index(out):
    """What apt reads of the folder."""
    packages = ""
    for path in sorted(out.glob("*.deb")):
        fields = subprocess.run(["dpkg-deb", "-f", str(path)], stdout=subprocess.PIPE, text=True, check=True).stdout
        packages += f"{fields}Filename: ./{path.name}\nSize: {path.stat().st_size}\nSHA256: {hashlib.sha256(path.read_bytes()).hexdigest()}\n\n"
    (out / "Packages").write_text(packages)
    (out / "Packages.gz").write_bytes(gzip.compress(packages.encode(), mtime=0))
    sums = "".join(f" {hashlib.sha256((out / n).read_bytes()).hexdigest()} {(out / n).stat().st_size} {n}\n" for n in ("Packages", "Packages.gz"))
    (out / "Release").write_text(f"Origin: NVIDIA\nLabel: NVIDIA CUDA\nDate: Mon, 01 Dec 2025 00:00:00 UTC\nArchitectures: amd64\nSHA256:\n{sums}")


def make(state, toolkit_wheels):
    """STATE/standins/nvidia, once; `toolkit_wheels(target, packages, keep_libraries)` lays out wheels."""
    place = state / "standins" / "nvidia"
    if (place / "ready").exists():
        return
    shutil.rmtree(place, ignore_errors=True)
    out, work = place / REPOSITORY, state / "scratch" / "nvidia"
    out.mkdir(parents=True)
    shutil.rmtree(work, ignore_errors=True)
    for name, packages in PARTS.items():
        target = work / name / "usr/local/cuda-13.0"
        target.mkdir(parents=True)
        toolkit_wheels(target, packages, name in WITH_LIBRARIES)
        postinst = ""
        if name == "cuda-cudart-dev-13-0":
            (target / "lib/libcudart.so").symlink_to("libcudart.so.13") if not (target / "lib/libcudart.so").exists() else None
        if name == "cuda-nvcc-13-0":
            (target / "lib64").symlink_to("lib")
            postinst = ALTERNATIVE
        elif name.startswith("lib"):   # a library to link with, without the gigabytes
            library = name.split("-")[0]
            subprocess.run(["gcc", "-shared", "-o", str(target / "lib" / f"{library}.so"), "-x", "c", "/dev/null"], check=True)
        deb(out, work / name, name, "13.0.88-1", postinst=postinst)
    for name, depends in META.items():
        deb(out, work / name, name, "13.0.2-1", depends)
    libraries(out, work)
    keyring = work / "cuda-keyring"
    (keyring / "etc/apt/sources.list.d").mkdir(parents=True)
    (keyring / "etc/apt/sources.list.d/cuda-debian12-x86_64.list").write_text(LIST)
    deb(out, keyring, "cuda-keyring", "1.1-1", architecture="all")
    toolkits(out, work)
    index(out)
    shutil.rmtree(work)
    (place / "ready").touch()
