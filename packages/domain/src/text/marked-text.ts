export type TextStyle = 'bold' | 'italic' | 'strike' | 'mono' | 'code';

/** A piece of a message: plain text, an address that may be opened, or a style around further pieces. */
export type TextPiece = string | { style: TextStyle; pieces: TextPiece[] } | { link: string; text: string };

/** A message as it is laid out: lines as they were written, what is quoted in it, and its lists. */
export type TextBlock =
  | { kind: 'lines' | 'quote'; pieces: TextPiece[] }
  | { kind: 'list'; start: number | null; items: TextPiece[][] };

const marks: Record<string, TextStyle> = { '*': 'bold', _: 'italic', '~': 'strike', '`': 'code' };
/** Nobody writes more styles inside each other; strangers might, to keep readers busy. */
const DEEPEST = 6;
/** No space, quotation mark, invisible or turning-around character: what is shown is what opens. */
const LINK = /https?:\/\/[\p{L}\p{N}[][^\s<>"'`\p{C}]*/uy;
const ITEM = /^(?:[-*•]|(\d{1,4})[.)]) +(?=\S)/;
const QUOTE = /^> ?/;

/** Reads the phone's formatting: *bold*, _italic_, ~strike~, `code`, ```mono``` and addresses; an unpaired mark is plain text. */
export function readMarkedText(text: string): TextPiece[] {
  return readPieces(text, DEEPEST);
}

/** Its words alone, for a line that has no styles. */
export function plainText(text: string): string {
  return readMarkedText(text).map(wordsOf).join('');
}

function wordsOf(piece: TextPiece): string {
  if (typeof piece === 'string') return piece;
  return 'link' in piece ? piece.text : piece.pieces.map(wordsOf).join('');
}

/** The same with lists (`- ` or `1. `) and quotes (`> `), which begin a line. */
export function readMarkedBlocks(text: string): TextBlock[] {
  const blocks: TextBlock[] = [];
  const lines: string[] = [];
  const quoted: string[] = [];
  const endLines = () => {
    if (lines.length > 0) blocks.push({ kind: 'lines', pieces: readMarkedText(lines.join('\n')) });
    lines.length = 0;
  };
  const endQuote = () => {
    if (quoted.length > 0) blocks.push({ kind: 'quote', pieces: readMarkedText(quoted.join('\n')) });
    quoted.length = 0;
  };
  let isMono = false;
  for (const line of text.split('\n')) {
    const item = isMono ? null : ITEM.exec(line);
    const isQuote = !isMono && item === null && QUOTE.test(line);
    if (!isQuote) endQuote();
    if (item) {
      endLines();
      addItem(blocks, item[1] === undefined ? null : Number(item[1]), line.slice(item[0].length));
    } else if (isQuote) {
      endLines();
      quoted.push(line.replace(QUOTE, ''));
    } else {
      lines.push(line);
      if ((line.split('```').length - 1) % 2 === 1) isMono = !isMono;
    }
  }
  endQuote();
  endLines();
  return blocks;
}

/** It goes on with the list before it, where that is of its kind and counts on. */
function addItem(blocks: TextBlock[], number: number | null, text: string): void {
  const last = blocks.at(-1);
  const next = last?.kind === 'list' && last.start !== null ? last.start + last.items.length : null;
  if (last?.kind === 'list' && number === next) last.items.push(readMarkedText(text));
  else blocks.push({ kind: 'list', start: number, items: [readMarkedText(text)] });
}

function readPieces(text: string, depth: number): TextPiece[] {
  const pieces: TextPiece[] = [];
  /** Marks that nothing closes from here on, by the end of their line. */
  const open: Record<string, number> = {};
  let plainFrom = 0;
  let at = 0;
  while (at < text.length) {
    const found = readLink(text, at) ?? (depth > 0 ? readStyled(text, at, depth, open) : undefined);
    if (found) {
      if (plainFrom < at) pieces.push(text.slice(plainFrom, at));
      pieces.push(found.piece);
      at = found.end;
      plainFrom = at;
    } else at += 1;
  }
  if (plainFrom < text.length) pieces.push(text.slice(plainFrom));
  return pieces;
}

type Found = { piece: TextPiece; end: number } | undefined;

function readLink(text: string, at: number): Found {
  if (text[at] !== 'h' || isWord(text[at - 1])) return undefined;
  LINK.lastIndex = at;
  const [whole] = LINK.exec(text) ?? [];
  if (whole === undefined) return undefined;
  const link = withoutEnd(whole);
  return { piece: { link, text: link }, end: at + link.length };
}

/** Without what belongs to the sentence around the address, or to the style that ends with it. */
function withoutEnd(link: string): string {
  let end = link.length;
  const opened = link.split('(').length;
  let closed = link.split(')').length;
  for (; end > 0; end -= 1) {
    const last = link[end - 1] ?? '';
    if (last === ')' && closed > opened) closed -= 1;
    else if (!'.,;:!?*_~]}…'.includes(last)) break;
  }
  return link.slice(0, end);
}

function readStyled(text: string, at: number, depth: number, open: Record<string, number>): Found {
  if (text.startsWith('```', at)) {
    if ((open['```'] ?? 0) > at) return undefined;
    const close = text.indexOf('```', at + 3);
    if (close === -1) open['```'] = text.length;
    if (close <= at + 3) return undefined;
    return { piece: { style: 'mono', pieces: [text.slice(at + 3, close)] }, end: close + 3 };
  }
  const mark = text[at] ?? '';
  const style = Object.hasOwn(marks, mark) ? marks[mark] : undefined;
  if (!style || (open[mark] ?? 0) > at) return undefined;
  // A mark counts only at the edge of a word and with something other than a space inside.
  const doubled = text[at - 1] === mark || text[at + 1] === mark;
  if (doubled || isWord(text[at - 1]) || isSpace(text[at + 1])) return undefined;
  const lineEnd = text.indexOf('\n', at);
  const end = lineEnd === -1 ? text.length : lineEnd;
  for (let close = text.indexOf(mark, at + 2); close !== -1 && close < end;) {
    if (!isSpace(text[close - 1]) && !isWord(text[close + 1]) && text[close + 1] !== mark) {
      const inner = text.slice(at + 1, close);
      const pieces = style === 'code' ? [inner] : readPieces(inner, depth - 1);
      return { piece: { style, pieces }, end: close + 1 };
    }
    close = text.indexOf(mark, close + 1);
  }
  // What does not close this one closes no later one of its line.
  open[mark] = end;
  return undefined;
}

function isWord(character: string | undefined): boolean {
  return character !== undefined && /[\p{L}\p{N}]/u.test(character);
}

function isSpace(character: string | undefined): boolean {
  return character === undefined || /\s/.test(character);
}
