"""Points and rectangles of the layout: x grows east, y grows south; the lower right corner is not part of a rectangle."""
from collections import namedtuple

IntVector = namedtuple("IntVector", "x y")


class IntRectangle(namedtuple("IntRectangle", "upper_left lower_right")):
    """From upper_left up to, and without, lower_right."""

    @property
    def width(self):
        return self.lower_right.x - self.upper_left.x

    @property
    def height(self):
        return self.lower_right.y - self.upper_left.y
