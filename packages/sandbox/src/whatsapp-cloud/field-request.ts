import { parseJson } from '../core/json.ts';
import { GraphError } from './errors.ts';

/** One item of `fields=`: `name`, `name{inner}` or `name.argument(value){inner}`. */
export interface FieldRequest {
  name: string;
  values: Record<string, string>;
  inner: FieldRequest[] | undefined;
}

const MOST_LEVELS = 10;

/** Reads the platform's field expansion; a JSON list of names is taken too. */
export function readFields(text: string): FieldRequest[] {
  const list = text.startsWith('[') ? parseJson(text) : undefined;
  const reader = new FieldReader(Array.isArray(list) ? list.map(String).join(',') : text);
  return reader.readAll();
}

class FieldReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  readAll(): FieldRequest[] {
    const fields = this.#readList(0);
    if (this.#at < this.#text.length) this.#refuse(`Expected end of string instead of "${this.#next()}".`);
    return fields;
  }

  #readList(level: number): FieldRequest[] {
    if (level > MOST_LEVELS) this.#refuse('Too many levels.');
    const fields: FieldRequest[] = [];
    do {
      // an empty place between commas asks for nothing
      const name = this.#take(/\s*(\w*)\s*/y)[1] ?? '';
      if (name !== '') fields.push({ name, ...this.#readRest(level) });
    } while (this.#take(/,?/y)[0] === ',');
    return fields;
  }

  #readRest(level: number): Pick<FieldRequest, 'values' | 'inner'> {
    const values: Record<string, string> = {};
    while (this.#next() === '.') {
      const match = this.#take(/\.(\w+)\(([^()]*)\)\s*|/y);
      if (!match[1]) this.#refuse('Expected a name and its value in brackets.');
      values[match[1]] = (match[2] ?? '').trim();
    }
    if (this.#next() !== '{') return { values, inner: undefined };
    this.#at++;
    const inner = this.#readList(level + 1);
    if (this.#next() !== '}') this.#refuse(`Expected "}" instead of "${this.#next()}".`);
    this.#take(/\}\s*/y);
    return { values, inner };
  }

  #next(): string {
    return this.#text.charAt(this.#at);
  }

  #take(pattern: RegExp): RegExpExecArray {
    pattern.lastIndex = this.#at;
    const match = pattern.exec(this.#text);
    if (!match) this.#refuse(`Unexpected "${this.#next()}".`);
    this.#at = pattern.lastIndex;
    return match;
  }

  #refuse(reason: string): never {
    throw new GraphError(2500, {
      message: `(#2500) Syntax error "${reason}" at character ${this.#at}: ${this.#text.slice(0, 200)}`,
    });
  }
}
