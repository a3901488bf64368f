/** A text with what is selected in it. */
export type MarkedSelection = { text: string; start: number; end: number };

/** The marks of the platform, by what they do. */
export const textMarks = { bold: '*', italic: '_', strike: '~', mono: '```' } as const;
export type TextMark = keyof typeof textMarks;

/**
 * Puts the marks around what is selected, or takes them away where they stand. Blanks at its ends stay outside, because the platform
 * does not read marks beside a blank, and each line has marks of its own, because they do not reach over its end. Without a selection
 * the caret stands between the marks.
 */
export function toggleMark(selection: MarkedSelection, mark: TextMark): MarkedSelection {
  const { text, start, end } = selection;
  const lines = text.slice(start, end).split('\n');
  if (lines.length === 1 || mark === 'mono') return toggleSign(selection, textMarks[mark]);
  const written = lines.filter((line) => line.trim() !== '');
  const sign = textMarks[mark];
  const areMarked = written.every((line) => isMarked(line.trim(), sign));
  const changed = lines
    .map((line) => {
      if (line.trim() === '' || (!areMarked && isMarked(line.trim(), sign))) return line;
      return toggleSign({ text: line, start: 0, end: line.length }, sign).text;
    })
    .join('\n');
  return { text: text.slice(0, start) + changed + text.slice(end), start, end: start + changed.length };
}

function toggleSign({ text, start, end }: MarkedSelection, sign: string): MarkedSelection {
  const selected = text.slice(start, end);
  const blanksBefore = selected.length - selected.trimStart().length;
  const inner = selected.trim();
  const from = inner === '' ? start : start + blanksBefore;
  const to = from + inner.length;
  const before = text.slice(0, from);
  const after = text.slice(to);
  if (isMarked(inner, sign)) {
    const bare = inner.slice(sign.length, -sign.length);
    return { text: before + bare + after, start: from, end: from + bare.length };
  }
  if (before.endsWith(sign) && after.startsWith(sign)) {
    const bare = before.slice(0, -sign.length) + inner + after.slice(sign.length);
    return { text: bare, start: from - sign.length, end: to - sign.length };
  }
  return {
    text: before + sign + inner + sign + after,
    start: from + sign.length,
    end: to + sign.length,
  };
}

function isMarked(text: string, sign: string): boolean {
  return text.length > sign.length * 2 && text.startsWith(sign) && text.endsWith(sign);
}

/** Puts something in the place of what is selected; the caret stands behind it. */
export function insertText({ text, start, end }: MarkedSelection, added: string): MarkedSelection {
  const caret = start + added.length;
  return { text: text.slice(0, start) + added + text.slice(end), start: caret, end: caret };
}

/** A word with a sign in front of it, such as `/thanks` or `@mar`, that ends at the caret. */
export type TypedWord = { word: string; start: number; end: number };

/** What is being typed behind `/` at the beginning of the text: a quick reply is looked for. */
export function findSlashWord({ text, start, end }: MarkedSelection): TypedWord | null {
  if (start !== end) return null;
  const found = /^\s*\/([^\s/]*)$/u.exec(text.slice(0, start));
  if (!found) return null;
  return { word: found[1] ?? '', start: found[0].indexOf('/'), end: start };
}

/** What is being typed behind `@`, at the beginning of a word. */
export function findMentionWord({ text, start, end }: MarkedSelection): TypedWord | null {
  if (start !== end) return null;
  const found = /(?:^|\s)@([^\s@]*(?: [^\s@]*)?)$/u.exec(text.slice(0, start));
  if (!found) return null;
  const word = found[1] ?? '';
  return { word, start: start - word.length - 1, end: start };
}
