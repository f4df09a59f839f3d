"""Draws the pages and lines that the network for still images is trained with: python image_pages.py DATA"""
import sys
from pathlib import Path

import numpy as np
from PIL import Image

from dataset import drawing, text_page

PAGES, LINES, HELD_OUT = 48, 26, 2
root, rng = Path(sys.argv[1]), np.random.default_rng(21)
for folder, count, draw in (("pages", PAGES, text_page), ("lines", LINES, drawing)):
    (root / folder).mkdir(parents=True, exist_ok=True)
    for k in range(count):
        Image.fromarray(draw(rng)).save(root / folder / f"{k:03}{'_held' if k < HELD_OUT else ''}.png")
