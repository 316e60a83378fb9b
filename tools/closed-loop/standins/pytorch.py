"""PyTorch's index: small wheels named torch-2.11.0+cu128 and so on, which say their CUDA version and have the real torch.utils.cpp_extension.

Their libraries are empty, so an extension that asks for none of torch's symbols builds and loads.
"""
import shutil
import subprocess
import zipfile

# build: (CUDA, its newest torch up to 2.11)
BUILDS = {"cu118": ("11.8", "2.7.1"), "cu124": ("12.4", "2.6.0"), "cu126": ("12.6", "2.11.0"), "cu128": ("12.8", "2.11.0"), "cu129": ("12.9", "2.11.0"), "cu130": ("13.0", "2.11.0"), "cpu": (None, "2.11.0")}
# What belongs to each torch.
COMPANIONS = {"2.6.0": {"torchvision": "0.21.0", "torchaudio": "2.6.0"}, "2.7.1": {"torchvision": "0.22.1", "torchaudio": "2.7.1"}, "2.11.0": {"torchvision": "0.26.0", "torchaudio": "2.11.0"}}
LIBRARIES = ("c10", "torch", "torch_cpu", "torch_python", "c10_cuda", "torch_cuda")
COPIED = ("utils/cpp_extension.py", "utils/file_baton.py", "utils/_cpp_extension_versioner.py", "_appdirs.py", "torch_version.py", "_vendor/packaging/version.py", "_vendor/packaging/_structures.py",
          "utils/hipify/__init__.py", "utils/hipify/version.py", "utils/hipify/cuda_to_hip_mappings.py", "utils/hipify/constants.py", "utils/hipify/hipify_python.py")
INIT = '''"""A stand-in for torch {version}."""
import ctypes, os
from . import version
from .version import __version__ as _v
from .torch_version import TorchVersion
__version__ = TorchVersion(_v)
_folder = os.path.join(os.path.dirname(__file__), "lib")
for _name in {libraries}:
    _path = os.path.join(_folder, f"lib{{_name}}.so")
    if os.path.exists(_path):
        ctypes.CDLL(_path, mode=ctypes.RTLD_GLOBAL)
class _C:
    _GLIBCXX_USE_CXX11_ABI = True
from . import cuda
class device:
    def __init__(self, name): self.type = str(name).split(":")[0]
class _Tensor:
    def cuda(self): cuda._lazy_init(); return self
    def to(self, name): return self.cuda() if str(name).startswith("cuda") else self
def zeros(*_, device="cpu"):
    return _Tensor().to(device)
ones = zeros
'''
CUDA = '''from . import version
def is_available(): return False
def device_count(): return 0
def _lazy_init():
    if version.cuda is None:
        raise AssertionError("Torch not compiled with CUDA enabled")
    if not __import__("os").path.exists("/run/fake-gpu"):
        raise RuntimeError("Found no NVIDIA driver on your system. Please check that you have an NVIDIA GPU and installed a driver from http://www.nvidia.com/Download/index.aspx")
def get_device_capability(_=None):
    _lazy_init()
    return (9, 0)
def get_arch_list(): return ["sm_75", "sm_80", "sm_86", "sm_90", "sm_100", "sm_120"]
'''


def wheel(folder, build, cuda, version, torch, stubs):
    full = f"{version}+{build}"
    path = folder / f"torch-{full}-cp311-cp311-manylinux_2_28_x86_64.whl"
    info = f"torch-{full}.dist-info"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as out:
        out.writestr("torch/__init__.py", INIT.format(version=full, libraries=LIBRARIES))
        out.writestr("torch/version.py", f"__version__ = {full!r}\ncuda = {cuda!r}\nhip = None\nrocm = None\nxpu = None\ndebug = False\n")
        out.writestr("torch/cuda.py", CUDA)
        for name in ("utils", "_vendor", "_vendor/packaging"):
            out.writestr(f"torch/{name}/__init__.py", "")
        for name in COPIED:
            if (torch / name).exists():
                out.write(torch / name, f"torch/{name}")
        for library in LIBRARIES:
            if cuda or "cuda" not in library:
                out.write(stubs / f"lib{library}.so", f"torch/lib/lib{library}.so")
        out.writestr("torch/include/torch/stand-in", "")
        out.writestr(f"{info}/METADATA", f"Metadata-Version: 2.1\nName: torch\nVersion: {full}\n")
        out.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nGenerator: stand-in\nRoot-Is-Purelib: false\nTag: cp311-cp311-manylinux_2_28_x86_64\n")
        out.writestr(f"{info}/RECORD", "")


def companion(folder, build, name, version, torch):
    """A torchvision or torchaudio that loads beside its torch only."""
    full = f"{version}+{build}"
    info = f"{name}-{full}.dist-info"
    with zipfile.ZipFile(folder / f"{name}-{full}-cp311-cp311-manylinux_2_28_x86_64.whl", "w", zipfile.ZIP_DEFLATED) as out:
        out.writestr(f"{name}/__init__.py", f"import torch\n__version__ = {full!r}\nif str(torch.__version__).split('+')[0] != {torch!r}:\n"
                                            f"    raise RuntimeError('operator {name}::nms does not exist')\n")
        out.writestr(f"{info}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: {full}\nRequires-Dist: torch=={torch}\n")
        out.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nGenerator: stand-in\nRoot-Is-Purelib: false\nTag: cp311-cp311-manylinux_2_28_x86_64\n")
        out.writestr(f"{info}/RECORD", "")


def make(state, torch):
    """STATE/standins/pytorch/whl/BUILD/*.whl, once; `torch` is the folder of a real torch."""
    place = state / "standins" / "pytorch"
    if (place / "ready").exists():
        return
    shutil.rmtree(place, ignore_errors=True)
    stubs = state / "scratch" / "stubs"
    stubs.mkdir(parents=True, exist_ok=True)
    for library in LIBRARIES:
        subprocess.run(["gcc", "-shared", f"-Wl,-soname,lib{library}.so", "-o", str(stubs / f"lib{library}.so"), "-x", "c", "/dev/null"], check=True)
    for build, (cuda, version) in BUILDS.items():
        folder = place / "whl" / build
        folder.mkdir(parents=True)
        wheel(folder, build, cuda, version, torch, stubs)
        for name, its in COMPANIONS[version].items():
            companion(folder, build, name, its, version)
    shutil.rmtree(stubs)
    (place / "ready").touch()
