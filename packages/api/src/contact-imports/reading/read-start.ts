import { guessLetters, fileEncodings } from './file-encoding.ts';
import { isVCard, readVCards } from './vcard-rows.ts';

type Start = {
  encoding: string;
  isCertain: boolean;
  possible: { encoding: string; examples: string[] }[];
  cards: string[][] | null;
};

const EXAMPLES = 3;
const CARDS = 200;
const CHOICES = 12;

/** What the beginning of a file (base64) shows of its letters, before anything of it is stored. */
export async function readStart({
  start,
  encoding: chosen,
}: {
  start: string;
  encoding?: string | undefined;
}): Promise<Start> {
  const bytes = new Uint8Array(Buffer.from(start, 'base64'));
  const guess = guessLetters(bytes);
  const encoding = chosen !== undefined && fileEncodings.includes(chosen) ? chosen : guess.encoding;
  const text = decode(encoding, bytes);
  return {
    ...{ encoding, isCertain: guess.isCertain },
    possible: guess.isCertain
      ? []
      : guess.possible.slice(0, CHOICES).map((one) => ({ encoding: one, examples: examplesOf(bytes, one) })),
    cards: isVCard(text) ? await readCards(text) : null,
  };
}

function decode(encoding: string, bytes: Uint8Array): string {
  return new TextDecoder(encoding === 'mixed' ? 'windows-1252' : encoding).decode(bytes);
}

/** Words with letters that are others in other encodings. */
function examplesOf(bytes: Uint8Array, encoding: string): string[] {
  const words = decode(encoding, bytes).match(/[\p{L}\p{M}'’ -]*[^\p{ASCII}\s][\p{L}\p{M}'’ -]*/gu) ?? [];
  return [...new Set(words.map((word) => word.trim()).filter((word) => word.length > 1))].slice(0, EXAMPLES);
}

async function readCards(text: string): Promise<string[][]> {
  const rows: string[][] = [];
  for await (const group of readVCards(once(text))) rows.push(...group.map(({ cells }) => cells));
  return rows.slice(0, CARDS + 1);
}

async function* once(text: string): AsyncGenerator<string> {
  yield text;
}
