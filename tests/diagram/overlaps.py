#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Says what overlaps in pictures of diagrams: two texts, or a text and the edge of a box; and what is outside of the
# picture. A letter is as wide as in DejaVu Sans Mono at 12 pixels: 1233 of 2048 units.
import sys
import xml.etree.ElementTree as tree

SPACE = '{http://www.w3.org/2000/svg}'
LETTER = 12 * 1233 / 2048


def area_of(text):
    width, x, y = len(text.text) * LETTER, float(text.get('x')), float(text.get('y'))
    left = {'start': x, 'middle': x - width / 2}[text.get('text-anchor')]
    return (left, y - 10, left + width, y + 3, text.text)


def overlap(one, other):
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def edges_of(box):
    x, y, width, height = (float(box.get(key)) for key in ('x', 'y', 'width', 'height'))
    return [(x, y, x, y + height, 'left'), (x + width, y, x + width, y + height, 'right'),
            (x, y, x + width, y, 'top'), (x, y + height, x + width, y + height, 'bottom')]


def check(path):
    root = tree.parse(path).getroot()
    left, top, width, height = (float(number) for number in root.get('viewBox').split())
    texts = [area_of(text) for text in root.iter(SPACE + 'text')]
    boxes = [box for box in root.iter(SPACE + 'rect') if box.get('class')]
    edges = [edge for box in boxes for edge in edges_of(box)]
    wrong = []
    for i, one in enumerate(texts):
        if one[0] < left or one[1] < top or one[2] > left + width or one[3] > top + height:
            wrong.append(f'{one[4]} is outside')
        wrong += [f'{one[4]} and {other[4]}' for other in texts[:i] if overlap(one, other)]
        wrong += [f'{one[4]} and the {edge[4]} edge of a box' for edge in edges if overlap(one, edge)]
    for text in wrong:
        print(f'{path}: {text}')
    if not texts or width > 1600:
        print(f'{path}: {len(texts)} texts, {width} pixels wide')
        return False
    return not wrong


sys.exit(0 if all([check(path) for path in sys.argv[1:]]) else 1)
