import matplotlib

matplotlib.use("agg")
import matplotlib.pyplot as plt

plt.plot([1, 2])
plt.savefig("plot.png")
