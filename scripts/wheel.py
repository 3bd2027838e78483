"""A Python wheel around a program: wheel.py TREE VERSION MACHINE FOLDER.

A wheel is a zip with a list of its files. The program goes where pip puts
scripts, everything else of the tree below the environment's share.
"""

import base64
import hashlib
import os
import pathlib
import stat
import subprocess
import sys
import time
import zipfile

tree, version, machine, folder = sys.argv[1:]
tree = pathlib.Path(tree)


def oldest_libc(program):
    """The version of glibc that the program needs, as the tag of a platform."""
    symbols = subprocess.run(["objdump", "-T", program], capture_output=True, text=True, check=True).stdout
    versions = {word.strip("()")[6:] for word in symbols.split() if word.strip("()").startswith("GLIBC_2")}
    return max((tuple(int(part) for part in one.split(".")[:2]) for one in versions), default=(2, 17))


major, minor = oldest_libc(tree / "bin/ludus")
tag = f"py3-none-manylinux_{major}_{minor}_{machine}"
info = f"ludus-{version}.dist-info"
data = f"ludus-{version}.data"
readme = (tree / "share/doc/ludus/README.md").read_text()
files = {}
for path in sorted(tree.rglob("*")):
    if path.is_file():
        inside = path.relative_to(tree)
        target = f"{data}/scripts/ludus" if inside.parts[0] == "bin" else f"{data}/data/{inside}"
        files[target] = path.read_bytes()
files[f"{info}/METADATA"] = (
    f"Metadata-Version: 2.1\nName: ludus\nVersion: {version}\n"
    "Summary: Four-player programming games: play, study and submit\n"
    "License: MIT OR Apache-2.0\nRequires-Python: >=3.8\n"
    # The compiler of C++ players; only this version was tried.
    "Requires-Dist: ziglang~=0.17.0\n"
    "Description-Content-Type: text/markdown\n\n" + readme
).encode()
files[f"{info}/WHEEL"] = f"Wheel-Version: 1.0\nGenerator: ludus\nRoot-Is-Purelib: false\nTag: {tag}\n".encode()


def entry(name, content):
    digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
    return f"{name},sha256={digest},{len(content)}\n"


record = "".join(entry(name, content) for name, content in files.items())
files[f"{info}/RECORD"] = (record + f"{info}/RECORD,,\n").encode()

made = pathlib.Path(folder) / f"ludus-{version}-{tag}.whl"
moment = time.gmtime(max(int(os.environ.get("SOURCE_DATE_EPOCH", 0)), 315532800))[:6]
with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as wheel:
    for name, content in files.items():
        item = zipfile.ZipInfo(name, moment)
        item.compress_type = zipfile.ZIP_DEFLATED
        # Without the bit that says "a file", pip leaves the program unexecutable.
        item.external_attr = (stat.S_IFREG | (0o755 if "/scripts/" in name else 0o644)) << 16
        wheel.writestr(item, content)
print(made)
