import torch

x = torch.zeros(4, device="cuda")
print("trained")
