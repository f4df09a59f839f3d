"""A training step as one CUDA graph: sampling, forward, backward, clipping, SOAP (see `soap.py`) and the running mean of
the weights. Matrices of the same size are turned together.
"""
import torch


class CapturedSOAP:
    def __init__(self, model, scale, betas=(0.95, 0.95), eps=1e-8):
        """scale: what the loss was multiplied with, so that small gradients do not vanish in 16-bit features."""
        self.names, self.parameters = zip(*model.named_parameters())
        self.matrices, self.scale, (self.b1, self.b2), self.eps = model.matrices(), scale, betas, eps
        device = self.parameters[0].device
        self.lr, self.decay = torch.zeros((), device=device), torch.zeros((), device=device)
        self.skipped = torch.zeros((), device=device)
        self.average = [p.detach().clone() for p in self.parameters]
        self.state = []
        for p in self.parameters:
            p.grad = torch.zeros_like(p)

    def shaped(self, name, tensor):
        """As matrices × rows × columns."""
        shape = self.matrices[name]
        return tensor.reshape(1, 1, -1) if shape is None else tensor.reshape(*shape, -1)

    def start(self):
        """Starts the bases from the gradients at hand."""
        for name, p in zip(self.names, self.parameters):
            g = self.shaped(name, p.grad / self.scale)
            sides = [] if self.matrices[name] is None else [g @ g.mT, g.mT @ g]
            self.state.append({"mean": torch.zeros_like(g), "square": torch.zeros_like(g), "sides": sides,
                               "bases": [torch.linalg.eigh(x).eigenvectors.contiguous() for x in sides]})

    @torch.no_grad()
    def step(self):
        grads = [p.grad for p in self.parameters]
        norm = torch.stack([g.square().sum() for g in grads]).sum().sqrt() / self.scale
        finite = torch.isfinite(norm)
        self.skipped += 1 - finite.float()
        factor = (1 / (norm + 1e-6)).clamp(max=1.0) / self.scale
        for name, p, s, average in zip(self.names, self.parameters, self.state, self.average):
            g = self.shaped(name, torch.where(finite, p.grad * factor, torch.zeros_like(p.grad)))
            bases = s["bases"]
            rotate = (lambda m: bases[0].mT @ m @ bases[1]) if bases else (lambda m: m)
            back = (lambda m: bases[0] @ m @ bases[1].mT) if bases else (lambda m: m)
            s["mean"].lerp_(g, 1 - self.b1)
            s["square"].lerp_(rotate(g).square(), 1 - self.b2)
            p.sub_(self.lr * back(rotate(s["mean"]) / (s["square"].sqrt() + self.eps)).reshape(p.shape))
            for side, value in zip(s["sides"], (g @ g.mT, g.mT @ g) if bases else ()):
                side.lerp_(value, 1 - self.b2)
            average.add_((p - average) * self.decay)

    @torch.no_grad()
    def turn(self):
        """One power iteration of every basis towards the eigenvectors, ordered by their eigenvalues."""
        for s in self.state:
            axes = []
            for side, basis in zip(s["sides"], s["bases"]):
                order = ((side @ basis) * basis).sum(1).argsort(dim=1, descending=True)
                axes.append(order)
                ordered = basis.gather(2, order[:, None].expand_as(basis))
                basis.copy_(torch.linalg.qr(side @ ordered).Q)
            if axes:
                square = s["square"].gather(1, axes[0][:, :, None].expand_as(s["square"]))
                s["square"].copy_(square.gather(2, axes[1][:, None].expand_as(square)))


def sampler(probabilities):
    """Indices drawn by their probabilities, without waiting for the GPU."""
    bounds = torch.cumsum(probabilities.double(), 0).float()
    bounds = bounds / bounds[-1]
    return lambda count: torch.searchsorted(bounds, torch.rand(count, device=bounds.device)).clamp_max(len(bounds) - 1)


def capture(work):
    """A function that runs `work` again: a graph replay on a GPU."""
    if not torch.cuda.is_available():
        return work
    side = torch.cuda.Stream()
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        for _ in range(3):
            work()
    torch.cuda.current_stream().wait_stream(side)
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        work()
    return graph.replay
