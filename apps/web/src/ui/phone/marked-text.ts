export type TextStyle = 'bold' | 'italic' | 'strike' | 'mono' | 'code';

/** A piece of a message: plain text, or a style around further pieces. */
export type TextPiece = string | { style: TextStyle; pieces: TextPiece[] };

const marks: Record<string, TextStyle> = { '*': 'bold', _: 'italic', '~': 'strike', '`': 'code' };

/** Reads the phone's formatting: *bold*, _italic_, ~strike~, `code` and ```mono```; an unpaired mark is plain text. */
export function readMarkedText(text: string): TextPiece[] {
  const pieces: TextPiece[] = [];
  let plain = '';
  let at = 0;
  while (at < text.length) {
    const found = readStyled(text, at);
    if (found) {
      if (plain !== '') pieces.push(plain);
      plain = '';
      pieces.push(found.piece);
      at = found.end;
    } else {
      plain += text[at];
      at += 1;
    }
  }
  if (plain !== '') pieces.push(plain);
  return pieces;
}

function readStyled(text: string, at: number): { piece: TextPiece; end: number } | undefined {
  if (text.startsWith('```', at)) {
    const close = text.indexOf('```', at + 3);
    if (close <= at + 3) return undefined;
    return { piece: { style: 'mono', pieces: [text.slice(at + 3, close)] }, end: close + 3 };
  }
  const mark = text[at] ?? '';
  const style = marks[mark];
  // A mark counts only at the edge of a word and with something other than a space inside.
  const doubled = text[at - 1] === mark || text[at + 1] === mark;
  if (!style || doubled || isWord(text[at - 1]) || isSpace(text[at + 1])) return undefined;
  for (let close = text.indexOf(mark, at + 1); close !== -1; close = text.indexOf(mark, close + 1)) {
    const inner = text.slice(at + 1, close);
    if (inner.includes('\n')) return undefined;
    if (isSpace(text[close - 1]) || isWord(text[close + 1]) || text[close + 1] === mark) continue;
    const pieces = style === 'code' ? [inner] : readMarkedText(inner);
    return { piece: { style, pieces }, end: close + 1 };
  }
  return undefined;
}

function isWord(character: string | undefined): boolean {
  return character !== undefined && /[\p{L}\p{N}]/u.test(character);
}

function isSpace(character: string | undefined): boolean {
  return character === undefined || /\s/.test(character);
}
