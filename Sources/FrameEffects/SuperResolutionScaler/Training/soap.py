"""The SOAP optimizer (N. Vyas et al., SOAP: Improving and Stabilizing Shampoo using Adam, 2024): Adam in the slowly
rotating basis in which the gradients of a weight matrix are least correlated.

It needs several times fewer steps than Adam for networks this small, whose bases cost next to nothing.
"""
import torch


class SOAP(torch.optim.Optimizer):
    def __init__(self, params, lr, betas=(0.95, 0.95), eps=1e-8, every=10):
        super().__init__(params, {"lr": lr, "betas": betas, "eps": eps, "every": every})

    @torch.no_grad()
    def step(self):
        for group in self.param_groups:
            for p in group["params"]:
                self.update(p, self.state[p], group)

    def update(self, p, state, group):
        grad = p.grad.reshape(p.shape[0], -1) if p.ndim > 1 else p.grad[None]
        b1, b2 = group["betas"]
        if not state:
            state["step"] = 0
            state["mean"], state["square"] = torch.zeros_like(grad), torch.zeros_like(grad)
            # Bias, slopes and other vectors have no rows to rotate.
            state["sides"] = [grad @ grad.T, grad.T @ grad] if p.ndim > 1 else []
            state["bases"] = [torch.linalg.eigh(side).eigenvectors for side in state["sides"]]
            return  # the first step only starts the bases
        state["step"] += 1
        rotate = lambda m: state["bases"][0].T @ m @ state["bases"][1] if state["bases"] else m
        back = lambda m: state["bases"][0] @ m @ state["bases"][1].T if state["bases"] else m
        turned = rotate(grad)
        state["mean"].mul_(b1).add_(grad, alpha=1 - b1)
        state["square"].mul_(b2).addcmul_(turned, turned, value=1 - b2)
        mean = rotate(state["mean"]) / (1 - b1 ** state["step"])
        step = back(mean / ((state["square"] / (1 - b2 ** state["step"])).sqrt() + group["eps"]))
        p.sub_(step.view(p.shape), alpha=group["lr"])
        if state["bases"]:
            for side, value in zip(state["sides"], (grad @ grad.T, grad.T @ grad)):
                side.mul_(b2).add_(value, alpha=1 - b2)
            if state["step"] % group["every"] == 0:
                self.turn(state)

    def turn(self, state):
        """One power iteration towards the eigenvectors, ordered by their eigenvalues."""
        axes = []
        for index, (side, basis) in enumerate(zip(state["sides"], state["bases"])):
            order = torch.einsum("ik,ij,jk->k", basis, side, basis).argsort(descending=True)
            axes.append(order)
            state["bases"][index] = torch.linalg.qr(side @ basis[:, order]).Q
        state["square"] = state["square"][axes[0]][:, axes[1]]
