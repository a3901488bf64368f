import { element } from './dom.js';

const MARKS =
  /```([^]+?)```|(?<![\w*])\*(\S(?:[^*\n]*\S)?)\*(?![\w*])|(?<!\w)_(\S(?:[^_\n]*\S)?)_(?!\w)|(?<!\w)~(\S(?:[^~\n]*\S)?)~(?!\w)|(https?:\/\/[^\s<>"]+[^\s<>".,;:!?)])/g;

/** The marks of the app: *bold*, _italic_, ~strike~, ```mono```, and addresses as links. */
export function formatted(text) {
  const nodes = [];
  let end = 0;
  for (const match of text.matchAll(MARKS)) {
    nodes.push(text.slice(end, match.index));
    end = match.index + match[0].length;
    const [, mono, bold, italic, strike, address] = match;
    if (mono !== undefined) nodes.push(element('code', { text: mono }));
    else if (bold !== undefined) nodes.push(element('strong', {}, ...formatted(bold)));
    else if (italic !== undefined) nodes.push(element('em', {}, ...formatted(italic)));
    else if (strike !== undefined) nodes.push(element('s', {}, ...formatted(strike)));
    else nodes.push(linkTo(address));
  }
  nodes.push(text.slice(end));
  return nodes;
}

const ADDRESS = /https?:\/\/[^\s<>"]+[^\s<>".,;:!?)]/g;

/** A text as it is, with its addresses as links. */
export function linked(text) {
  const nodes = [];
  let end = 0;
  for (const match of text.matchAll(ADDRESS)) {
    nodes.push(text.slice(end, match.index), linkTo(match[0]));
    end = match.index + match[0].length;
  }
  return [...nodes, text.slice(end)];
}

function linkTo(address) {
  return element('a', { href: address, target: '_blank', rel: 'noreferrer', text: address });
}
