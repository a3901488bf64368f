import axe from 'axe-core';
import type { ReactNode } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeAll, expect, vi } from 'vitest';
import { interfaceWords } from '../src/app/interface-words.ts';
import { loadMessages } from '../src/shared/messages.ts';
import { UiWordsProvider } from '../src/ui/ui-words.tsx';

/** axe has them without a type: what a screen reader calls an element, and its name. */
const { aria, text } = axe.commons as unknown as {
  aria: { getRole(element: Element): string | null };
  text: { accessibleText(element: Element): string };
};

const shown: Root[] = [];
const SCREEN = { width: 1280, height: 800 };
const LINE_HEIGHT = 53;

beforeAll(() => loadMessages('ui', 'common'));
afterEach(() => {
  for (const root of shown.splice(0)) root.unmount();
  document.body.replaceChildren();
});

/** What a DOM without a layout lacks: a screen of one size, on which each element is as high as a row. */
const width = { configurable: true, get: () => SCREEN.width };
const height = {
  configurable: true,
  get(this: HTMLElement) {
    return this === document.documentElement ? SCREEN.height : LINE_HEIGHT;
  },
};
Object.defineProperties(HTMLElement.prototype, {
  offsetWidth: width,
  clientWidth: width,
  offsetHeight: height,
  clientHeight: height,
});
globalThis.matchMedia ??= ((query: string) => {
  const [, side = 'min', pixels = '0'] = /\((min|max)-width: (\d+)px\)/.exec(query) ?? [];
  const matches = side === 'min' ? SCREEN.width >= Number(pixels) : SCREEN.width <= Number(pixels);
  return Object.assign(new EventTarget(), { matches: query.includes('width:') && matches, media: query });
}) as unknown as typeof matchMedia;
globalThis.ResizeObserver ??= class {
  observe() {}
  unobserve() {}
  disconnect() {}
};
globalThis.IntersectionObserver ??= class {
  observe() {}
  unobserve() {}
  disconnect() {}
} as unknown as typeof IntersectionObserver;
globalThis.scrollTo = () => undefined;
Element.prototype.scrollIntoView ??= () => undefined;
Element.prototype.getAnimations ??= () => [];

/** Draws something as the app does, with its words; the answer draws it anew. */
export function show(content: ReactNode): (next: ReactNode) => void {
  const root = createRoot(document.body.appendChild(document.createElement('div')));
  shown.push(root);
  const draw = (next: ReactNode) =>
    root.render(<UiWordsProvider words={interfaceWords()}>{next}</UiWordsProvider>);
  draw(content);
  return draw;
}

/** All elements with this role, and this name where one is given, as they stand now. */
export function findAll(role: string, name?: string | RegExp): HTMLElement[] {
  axe.setup(document.documentElement);
  try {
    return [...document.body.querySelectorAll<HTMLElement>('*')].filter(
      (element) =>
        !element.closest('[hidden], [inert], [aria-hidden="true"]') &&
        aria.getRole(element) === role &&
        (name === undefined || isNamed(element, name)),
    );
  } finally {
    axe.teardown();
  }
}

/** Waits until what is expected holds. However slow the machine is: what never comes to pass fails a minute later. */
export function eventually<Value>(check: () => Value | Promise<Value>): Promise<Value> {
  return vi.waitFor(check, 60_000);
}

/** Waits for the one element with this role and name. */
export function find(role: string, name?: string | RegExp): Promise<HTMLElement> {
  return eventually(() => {
    const found = findAll(role, name);
    expect(found, `${role} ${String(name ?? '')} in ${document.body.innerHTML.slice(0, 1_500)}`).toHaveLength(
      1,
    );
    return found[0]!;
  });
}

export function shownText(): string {
  return document.body.textContent;
}

/** A press with the mouse: the focus moves as in a browser. */
export function press(element: HTMLElement, options: MouseEventInit = {}): void {
  const init = { bubbles: true, cancelable: true, button: 0, detail: 1, ...options };
  element.dispatchEvent(new PointerEvent('pointerdown', { ...init, pointerType: 'mouse' }));
  if (element.dispatchEvent(new MouseEvent('mousedown', init)))
    element.closest<HTMLElement>('button, input, a, [tabindex]')?.focus();
  element.dispatchEvent(new PointerEvent('pointerup', { ...init, pointerType: 'mouse' }));
  element.dispatchEvent(new MouseEvent('mouseup', init));
  element.dispatchEvent(new MouseEvent('click', init));
}

export function pressKey(key: string, options: KeyboardEventInit = {}): void {
  const target = document.activeElement ?? document.body;
  for (const type of ['keydown', 'keyup'])
    target.dispatchEvent(new KeyboardEvent(type, { key, bubbles: true, cancelable: true, ...options }));
}

/** Puts text into a field as typing does: React listens to the event, not to the value. */
export function type(field: HTMLElement, value: string): void {
  field.focus();
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value')?.set?.call(field, value);
  field.dispatchEvent(new InputEvent('input', { bubbles: true, data: value, inputType: 'insertText' }));
}

function isNamed(element: Element, wanted: string | RegExp): boolean {
  const name = text.accessibleText(element);
  return typeof wanted === 'string' ? name === wanted : wanted.test(name);
}
