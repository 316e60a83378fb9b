from distutils.util import get_platform
from flit_core.buildapi import *

print(get_platform())
