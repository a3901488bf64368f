import type { KnowledgeFileType, KnowledgeProblem } from './knowledge-rules.ts';

export type ReadText =
  | { outcome: 'read'; text: string; title: string | null }
  | { outcome: 'refused'; problem: KnowledgeProblem };

/** Reads the text of a file or a page, in bounded time and memory. What the bytes are decides, not the type that is asked for. */
export type TextReader = (type: KnowledgeFileType | 'html', bytes: Uint8Array) => Promise<ReadText>;
