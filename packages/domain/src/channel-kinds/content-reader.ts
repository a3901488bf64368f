import { isUuid } from '../uuid.ts';
import type { LibraryFile } from './library-files.ts';
import type { ContentFault, ContentProblem, ContentValue, ReadContent } from './content-type.ts';

type Fields = Record<string, unknown>;

/**
 * Reads the parts of a value and gathers what is wrong with them, for content types to be built of. Lengths are in UTF-16 units, as platforms count.
 * What a content type does not ask for is left out of the clean value.
 */
export class ContentReader {
  readonly faults: ContentFault[] = [];

  fault(path: string, problem: ContentProblem, limit?: number): void {
    this.faults.push({ path, problem, ...(limit !== undefined && { limit }) });
  }

  /** Its fields; none of what is no object. */
  object(value: unknown, path: string): Fields {
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Fields;
    this.fault(path, 'missing');
    return {};
  }

  text(value: unknown, path: string, most: number): string {
    const text = typeof value === 'string' ? value.trim() : '';
    if (text === '') this.fault(path, 'missing');
    if (text.length > most) this.fault(path, 'too_long', most);
    return text;
  }

  /** Undefined where there is none. */
  optionalText(value: unknown, path: string, most: number): string | undefined {
    return value === undefined || value === null || value === '' ? undefined : this.text(value, path, most);
  }

  /** A public web address; a placeholder in it counts as written. */
  address(value: unknown, path: string, most: number): string {
    const text = this.text(value, path, most);
    if (text !== '' && !/^https?:\/\/[^\s/?#<>"]+[^\s<>"]*$/i.test(text)) this.fault(path, 'address_invalid');
    return text;
  }

  /** A file of the library, by its id; its name and type are those that the server knows. */
  file(value: unknown, path: string): LibraryFile {
    const { id, name, mimeType, size } = this.object(value, path);
    const isId = typeof id === 'string' && isUuid(id);
    if (!isId) this.fault(path, 'missing');
    return {
      id: isId ? id.toLowerCase() : '',
      ...(typeof name === 'string' && name !== '' && { name: name.slice(0, 255) }),
      ...(typeof mimeType === 'string' && mimeType !== '' && { mimeType: mimeType.slice(0, 100) }),
      ...(typeof size === 'number' && { size }),
    };
  }

  oneOf<Word extends string>(value: unknown, path: string, words: readonly [Word, ...Word[]]): Word {
    const word = words.find((known) => known === value);
    if (word === undefined) this.fault(path, value === undefined ? 'missing' : 'not_known');
    return word ?? words[0];
  }

  /** Its elements with their paths; `least` and `most` are limits of their number. */
  list(
    value: unknown,
    path: string,
    { least, most }: { least: number; most: number },
  ): { value: unknown; path: string }[] {
    const elements = Array.isArray(value) ? (value as unknown[]) : [];
    if (elements.length < least) this.fault(path, elements.length === 0 ? 'missing' : 'too_few', least);
    if (elements.length > most) this.fault(path, 'too_many', most);
    return elements.slice(0, most).map((element, index) => ({ value: element, path: `${path}.${index}` }));
  }

  /** Between two limits, both included. */
  number(value: unknown, path: string, { least, most }: { least: number; most: number }): number {
    const number = typeof value === 'number' ? value : Number.NaN;
    if (!(number >= least && number <= most)) this.fault(path, value === undefined ? 'missing' : 'not_known');
    return number;
  }

  /** A moment, as ISO 8601 has it with a zone. */
  instant(value: unknown, path: string): string {
    const isWhole = typeof value === 'string' && /T.*(?:Z|[+-]\d\d:\d\d)$/.test(value);
    const at = isWhole ? Date.parse(value) : Number.NaN;
    if (!Number.isNaN(at)) return new Date(at).toISOString();
    this.fault(path, value === undefined ? 'missing' : 'not_known');
    return '';
  }

  /** A second element with the same text. */
  different(texts: readonly string[], pathOf: (index: number) => string): void {
    for (const [index, text] of texts.entries())
      if (text !== '' && texts.indexOf(text) < index) this.fault(pathOf(index), 'repeated');
  }

  /** Of parts that have to look alike the first one that does not. */
  alike(looks: readonly string[], pathOf: (index: number) => string): void {
    const index = looks.findIndex((look) => look !== looks[0]);
    if (index !== -1) this.fault(pathOf(index), 'not_alike');
  }

  end(value: ContentValue): ReadContent {
    return this.faults.length > 0 ? { faults: this.faults } : { value };
  }
}
