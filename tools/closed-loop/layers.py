"""The layers that worlds are made of: each is made once below STATE/layers, on top of its parent, and never changed after."""
import glob
import os
import pathlib
import shutil
import subprocess

from world import Box, PATH, UID, USER, WorldError, base_environment

APT = "apt-get install -y -q --no-install-recommends"
UV_VERSION = "0.13.9"
TORCH = "torch==2.11.0"

# name: (parent, script as root, needs the machine's network). A layer that does not touch /var/lib/dpkg may lie on any other.
SCRIPTS = {
    # A container image: no sudo, no package lists, nobody but root (and a user who may not become root).
    "base": (None, f"""
        apt-get clean; rm -rf /var/lib/apt/lists/*
        printf '#!/bin/sh\\nexit 101\\n' >/usr/sbin/policy-rc.d; chmod 755 /usr/sbin/policy-rc.d
        useradd -m -u {UID} -s /bin/bash {USER}
        update-ca-certificates
        ln -s /opt/cudadoctor/bin/cudadoctor /usr/local/bin/cudadoctor"""),
    # Somebody's machine: sudo without a password, package lists.
    "desk": ("base", f"""
        apt-get update -q && {APT} sudo curl wget
        printf 'user ALL=(ALL) NOPASSWD: ALL\\n' >/etc/sudoers.d/user; chmod 440 /etc/sudoers.d/user"""),
    "build": ("desk", f"{APT} build-essential python3-dev"),
    "image": ("base", f"apt-get update -q && {APT} build-essential python3-dev git && rm -rf /var/lib/apt/lists/*"),
    # The user's environment.
    "venv": ("base", "su user -c 'python3 -m venv /home/user/venv'"),
    "uv": ("base", f"python3 -m venv /tmp/v && /tmp/v/bin/pip install -q uv=={UV_VERSION} && cp /tmp/v/bin/uv /tmp/v/bin/uvx /usr/local/bin/ && rm -rf /tmp/v /root/.cache"),
    # The one big download: torch with CUDA 13.0, in the user's environment, with what an extension's build needs.
    "torch": ("base", f"""
        python3 -m venv /tmp/v && /tmp/v/bin/pip install -q uv=={UV_VERSION}
        su user -c 'python3 -m venv /home/user/venv && UV_CACHE_DIR=/tmp/uv-cache UV_LINK_MODE=copy /tmp/v/bin/uv pip install -q --python /home/user/venv/bin/python {TORCH} numpy "setuptools<81" wheel ninja packaging'
        rm -rf /tmp/v /tmp/uv-cache"""),
}
# Folders of capture's layers, for /usr and /usr/local: made with tools/capture/make-layers.
CUDA_WHEELS = {
    "13.0": ("nvidia-cuda-nvcc==13.0.88", "nvidia-cuda-crt==13.0.88", "nvidia-nvvm==13.0.88", "nvidia-cuda-cccl==13.0.85", "nvidia-cuda-runtime==13.0.96"),
    "13.2": ("nvidia-cuda-nvcc==13.2.78", "nvidia-cuda-crt==13.2.78", "nvidia-nvvm==13.2.78", "nvidia-cuda-runtime==13.2.75"),
}
CUDA_HEADERS = ("nvidia-cublas==13.1.0.3", "nvidia-cusparse==12.6.3.3", "nvidia-cusolver==12.0.4.66", "nvidia-curand==10.4.0.35", "nvidia-cufft==12.0.0.61", "nvidia-nvtx==13.0.85",
                "nvidia-cuda-nvrtc==13.0.88", "nvidia-cuda-profiler-api==13.0.85", "nvidia-nvjitlink==13.0.88")
PYTHONS = ("3.8", "3.9", "3.10", "3.12", "3.13")


def names():
    return [*SCRIPTS, "cuda-13.0", "cuda-13.0-bare", "cuda-13.2-bare", "nvcc-11.8", "cuda-11.8", "gcc-11", *(f"python-{v}" for v in PYTHONS)]


def chain(wanted):
    """The layers a world needs, bottom first, each parent once; at most one chain may change the package manager's state."""
    result = []

    def add(name):
        if name in result:
            return
        if name in SCRIPTS:
            if SCRIPTS[name][0]:
                add(SCRIPTS[name][0])
        elif name not in names():
            raise WorldError(f"no layer named {name}; there are {', '.join(names())}")
        result.append(name)

    for name in wanted:
        add(name)
    apt = [name for name in result if name in ("desk", "build", "image")]
    if "image" in apt and len(apt) > 1:
        raise WorldError("layers image and desk do not lie on one another; take one")
    return result


def folder(state, name):
    return state / "layers" / name / ("root" if name == "base" else "upper")


def copy_machine_configuration(root):
    """What this machine's package clients need: certificates and the settings of apt and pip."""
    for path in glob.glob("/usr/local/share/ca-certificates/*.crt"):
        target = root / "usr/local/share/ca-certificates"
        target.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, target)
    for path in ("/etc/apt/apt.conf.d/99artifact-registry", "/etc/pip.conf", "/etc/uv/uv.toml"):
        if os.path.exists(path):
            (root / path[1:]).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, root / path[1:])
    mirror = "http://deb.debian.org/debian"
    (root / "etc/apt/sources.list").write_text(f"deb {mirror} bookworm main\ndeb {mirror} bookworm-updates main\ndeb {mirror}-security bookworm-security main\n")


def make(state, name, say=print):
    place = state / "layers" / name
    if (place / "ready").exists():
        return
    say(f"layer {name} is made", flush=True)
    upper = folder(state, name)
    if name in SCRIPTS:
        parent, script = SCRIPTS[name]
        if name == "base" and not (upper / "etc/debian_version").exists():
            upper.mkdir(parents=True, exist_ok=True)
            subprocess.run(["debootstrap", "--variant=minbase", "--include=python3,python3-venv,python3-pip,ca-certificates,procps", "bookworm", str(upper), "http://deb.debian.org/debian"], check=True,
                           stdout=subprocess.DEVNULL)
        if name == "base":
            copy_machine_configuration(upper)
            lower, top = [upper], place / "changes"
        else:
            shutil.rmtree(place, ignore_errors=True)
            lower, top = lowers(state, [parent], say), upper
        with Box(lower, top, state / "scratch" / f"layer-{name}", hosts=(), name="layer") as box:
            status, out = box.run("set -e\n" + script, timeout=3600)
        shutil.rmtree(state / "scratch" / f"layer-{name}", ignore_errors=True)
        if status:
            raise WorldError(f"layer {name} could not be made:\n{out[-2000:]}")
        if name == "base":   # the lowest layer is a root of its own: what was changed is kept in a second folder above it
            (place / "changes" / "etc" / "hosts").unlink()
    elif name.startswith("python-"):
        version = name.removeprefix("python-")
        root = pathlib.Path(os.environ.get("PYENV_ROOT", pathlib.Path.home() / ".pyenv"))
        found = sorted((root / "versions").glob(f"{version}.*"))
        if not found:
            raise WorldError(f"layer {name}: no Python {version} below {root}/versions; pyenv install {version}")
        target = upper / "usr/local"   # as `make altinstall` puts it
        for part in ("lib", "include"):
            shutil.copytree(found[-1] / part, target / part, symlinks=True, dirs_exist_ok=True, ignore=shutil.ignore_patterns("test", "__pycache__", "site-packages", "*.a"))
        (target / f"lib/python{version}/site-packages").mkdir()
        (target / "bin").mkdir(parents=True)
        shutil.copy(found[-1] / f"bin/python{version}", target / "bin")
        for library in (target / "lib").glob("libpython*.so.*"):   # a shared one is looked for where pyenv built it
            (upper / "usr/lib/x86_64-linux-gnu").mkdir(parents=True, exist_ok=True)
            shutil.copy(library, upper / "usr/lib/x86_64-linux-gnu")
    else:
        make_cuda(state, name, upper)
    place.mkdir(parents=True, exist_ok=True)
    (place / "ready").touch()


def lowers(state, wanted, say=print):
    """The folders for an overlay, topmost first."""
    result = []
    for name in reversed(chain(wanted)):
        make(state, name, say)
        if name == "base":
            result.append(state / "layers/base/changes")
        result.append(folder(state, name))
    return result


def wheels(state, target, packages, keep_libraries):
    """The files of NVIDIA's wheels laid out as a toolkit."""
    work = state / "scratch" / "wheels"
    shutil.rmtree(work, ignore_errors=True)
    (work / "files").mkdir(parents=True)
    subprocess.run(["pip", "download", "-q", "--no-deps", "-d", str(work), *packages], check=True)
    for wheel in work.glob("*.whl"):
        subprocess.run(["python3", "-m", "zipfile", "-e", str(wheel), str(work / "files")], check=True)
    source = work / "files" / "nvidia" / "cu13"
    if not keep_libraries:
        for path in source.rglob("*.so*"):
            path.unlink()
    shutil.copytree(source, target, symlinks=True, dirs_exist_ok=True)
    for path in target.rglob("*"):
        if path.is_file() and ("bin" in path.parts[len(target.parts):]):
            path.chmod(0o755)
    shutil.rmtree(work)


def toolkit(state, target, version, headers):
    """A toolkit of the wheels: nvcc and the runtime; with the headers of the libraries where asked."""
    wheels(state, target, CUDA_WHEELS[version], keep_libraries=True)
    if headers:
        wheels(state, target, CUDA_HEADERS, keep_libraries=False)
    if not (target / "lib64").exists():
        (target / "lib64").symlink_to("lib")
    for library in (target / "lib").glob("libcudart.so.*"):
        if not (target / "lib/libcudart.so").exists():
            (target / "lib/libcudart.so").symlink_to(library.name)


PROFILE_118 = """TOP = $(_HERE_)/..
NVVMIR_LIBRARY_DIR = $(TOP)/nvvm/libdevice
LD_LIBRARY_PATH += $(TOP)/lib64:
PATH += $(TOP)/nvvm/bin:$(_HERE_):
INCLUDES += "-I$(TOP)/include" $(_SPACE_)
LIBRARIES =+ $(_SPACE_) "-L$(TOP)/lib64"
"""


def make_cuda_118(state, upper):
    """The files of Debian's CUDA 11.8 laid out as NVIDIA's own packages do, below /usr/local/cuda-11.8."""
    make(state, "nvcc-11.8")
    source, top = folder(state, "nvcc-11.8"), upper / "usr/local/cuda-11.8"
    (top / "nvvm").mkdir(parents=True)
    shutil.copytree(source / "usr/bin", top / "bin", symlinks=True)
    for name in ("nvcc", "crt"):
        (top / "bin" / name).unlink(missing_ok=True)
    toolkit_bin = source / "usr/lib/nvidia-cuda-toolkit/bin"
    shutil.copy(toolkit_bin / "nvcc", top / "bin/nvcc")
    shutil.copytree(toolkit_bin / "crt", top / "bin/crt")
    (top / "bin/nvcc.profile").write_text(PROFILE_118)
    (top / "nvvm/bin").mkdir()
    shutil.copy(toolkit_bin / "cicc", top / "nvvm/bin/cicc")
    shutil.copytree(source / "usr/lib/nvidia-cuda-toolkit/libdevice", top / "nvvm/libdevice")
    shutil.copytree(source / "usr/include", top / "include", symlinks=True)
    shutil.copytree(source / "usr/lib/x86_64-linux-gnu", top / "lib64", symlinks=True)
    (upper / "usr/local/cuda").symlink_to("cuda-11.8")


def make_cuda(state, name, upper):
    if name == "cuda-11.8":
        make_cuda_118(state, upper)
    elif name.startswith("cuda-"):
        version = name.removeprefix("cuda-").removesuffix("-bare")
        place = upper / f"usr/local/cuda-{version}"
        place.mkdir(parents=True, exist_ok=True)
        toolkit(state, place, version, headers=not name.endswith("-bare"))
        (upper / "usr/local/cuda").symlink_to(f"cuda-{version}")
    else:   # Debian's packages, unpacked only
        packages = {"nvcc-11.8": "nvidia-cuda-toolkit nvidia-cuda-dev libnvvm4 libcudart11.0", "gcc-11": "gcc-11 g++-11 cpp-11 gcc-11-base libgcc-11-dev libstdc++-11-dev libasan6 libtsan0"}[name]
        make(state, "desk")
        with Box(lowers(state, ["desk"]), state / "scratch/debs-upper", state / "scratch/debs", hosts=(), name="layer") as box:
            status, out = box.run(f"""set -e
                sed -i 's/ main$/ main non-free/' /etc/apt/sources.list; apt-get -q update
                mkdir -m 777 /debs /run/closed-loop/files; cd /debs; apt-get -q download {packages}
                for deb in *.deb; do case $deb in
                  nvidia-cuda-dev*) dpkg --fsys-tarfile "$deb" | tar -x -C /run/closed-loop/files --wildcards './usr/include/*' '*libcudart*' '*libcudadevrt*';;
                  *) dpkg -x "$deb" /run/closed-loop/files;; esac; done""", timeout=3600)
            if status:
                raise WorldError(f"layer {name} could not be made:\n{out[-2000:]}")
            upper.parent.mkdir(parents=True, exist_ok=True)
            shutil.rmtree(upper, ignore_errors=True)
            shutil.move(state / "scratch/debs/io/files", upper)
        shutil.rmtree(state / "scratch/debs", ignore_errors=True)
        shutil.rmtree(state / "scratch/debs-upper", ignore_errors=True)
        os.chmod(upper, 0o755)
