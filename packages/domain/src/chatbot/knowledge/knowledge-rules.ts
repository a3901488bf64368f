export const knowledgeKinds = ['pair', 'file', 'address'] as const;
export type KnowledgeKind = (typeof knowledgeKinds)[number];

/** Why a file or a page could not be read. */
export const knowledgeProblems = [
  ...['empty', 'encrypted', 'wrong_type', 'no_text', 'too_long', 'unreadable'],
  ...['address_refused', 'unreachable', 'too_large', 'not_found'],
] as const;
export type KnowledgeProblem = (typeof knowledgeProblems)[number];

export const knowledgeLimits = {
  entries: 500,
  /** Of all entries together, so that a search looks at all of them. */
  parts: 5_000,
  question: 500,
  answer: 4_000,
  /** Bytes of one file. */
  file: 20 * 1024 * 1024,
  /** Bytes of one page. */
  page: 4 * 1024 * 1024,
  /** Characters of one entry. */
  characters: 1_000_000,
  /** Characters of one part: a few paragraphs. */
  part: 1_200,
} as const;

export const knowledgeFileTypes = ['pdf', 'docx', 'md', 'txt', 'csv'] as const;
export type KnowledgeFileType = (typeof knowledgeFileTypes)[number];

/** By the end of its name; null for what cannot be read. */
export function typeOfFile(name: string): KnowledgeFileType | null {
  const end = name.toLowerCase().split('.').at(-1);
  return knowledgeFileTypes.find((type) => type === (end === 'markdown' ? 'md' : end)) ?? null;
}

/** Cuts a text into parts at paragraphs, else at lines, sentences or words, each at most `part` characters long. */
export function splitIntoParts(text: string): string[] {
  const parts: string[] = [];
  let current = '';
  for (const piece of text.split(/\n{2,}/).flatMap(cutPiece)) {
    if (current !== '' && current.length + piece.length + 2 > knowledgeLimits.part) {
      parts.push(current);
      current = '';
    }
    current = current === '' ? piece : `${current}\n\n${piece}`;
  }
  return current === '' ? parts : [...parts, current];
}

function cutPiece(piece: string): string[] {
  const cut: string[] = [];
  let rest = piece.trim();
  while (rest.length > knowledgeLimits.part) {
    const head = rest.slice(0, knowledgeLimits.part);
    const end = [head.lastIndexOf('\n'), head.lastIndexOf('. ') + 1, head.lastIndexOf(' ')].find(
      (place) => place > knowledgeLimits.part / 2,
    );
    const length = end ?? knowledgeLimits.part;
    cut.push(rest.slice(0, length).trim());
    rest = rest.slice(length).trim();
  }
  return rest === '' ? cut : [...cut, rest];
}
