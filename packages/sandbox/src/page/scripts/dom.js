// What every part of the page needs. Text of messages is only ever set as text, never as markup.

import { icon } from './icons.js';

export const find = (id) => document.getElementById(id);

/** Calls the sandbox; a refusal is shown and answers null. */
export async function api(method, path, body) {
  const response = await fetch(path, {
    method,
    ...(body === undefined
      ? {}
      : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  });
  const answer = response.status === 204 ? null : await response.json();
  if (!response.ok) notify(answer?.error?.message ?? answer?.error?.problem ?? `HTTP ${response.status}`);
  return response.ok ? answer : null;
}

export function element(name, properties = {}, ...children) {
  const { className, text, attributes = {}, on = {}, ...rest } = properties;
  const node = document.createElement(name);
  Object.assign(node, rest);
  if (className) node.className = className;
  if (text !== undefined) node.textContent = text;
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  for (const [event, act] of Object.entries(on)) node.addEventListener(event, act);
  node.append(...children.filter((child) => child !== null));
  return node;
}

/** A button that does not send its form. */
export const button = (text, act, properties = {}) =>
  element('button', { type: 'button', text, on: { click: act }, ...properties });

/** The same with a sign in place of a text, which its label says. */
export const iconButton = (sign, label, act, properties = {}) =>
  element(
    'button',
    { type: 'button', on: { click: act }, attributes: { 'aria-label': label }, title: label, ...properties },
    icon(sign),
  );

let noticeTimer;
export function notify(text) {
  find('notice').textContent = text;
  clearTimeout(noticeTimer);
  noticeTimer = setTimeout(() => (find('notice').textContent = ''), 4000);
}

export const clock = (at) =>
  new Date(at).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit', second: '2-digit' });

export const shortClock = (at) => new Date(at).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' });

export const nameOf = (user) => (/^\d+$/.test(user) ? `+${user}` : user);
