import { expect, test } from 'vitest';
import { nameOfMedia } from './rcs-contents.ts';

test.each([
  [{ file: { id: '1', name: 'Menu.pdf' } }, 'Menu.pdf'],
  [{ link: 'https://shop.example/files/Men%C3%BC%202.pdf?v=3#page' }, 'Menü 2.pdf'],
  [{ link: 'https://shop.example/menu.pdf' }, 'menu.pdf'],
  [{ link: 'https://shop.example/' }, 'https://shop.example/'],
  [{ link: 'https://shop.example' }, 'https://shop.example'],
  [{ link: 'https://shop.example/50%.pdf' }, '50%.pdf'],
])('the name of %j is %s', (media, name) => expect(nameOfMedia(media)).toBe(name));
