from torch.utils.cpp_extension import load

ops = load(name="jit_ops", sources=["jit.cc"], verbose=True)
print(ops.twice(21))
