import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** One file of the migrations. */
export type Step = {
  name: string;
  sql: string;
  /** Of the file's text: a database remembers its steps by it. */
  hash: string;
  /** What a database remembers as the step's time; it follows from the number, so that the order is the same everywhere. */
  at: number;
};

const NAME = /^(\d{4})_[a-z0-9_]+\.sql$/;
/** The times count from here, ten to a number: the databases that exist have them so. */
const FIRST = 1_795_000_000_000;

/** The migrations of a folder in the order of their numbers, of which some may be left out. */
export function readSteps(folder: string): Step[] {
  const files = readdirSync(folder)
    .filter((file) => file.endsWith('.sql'))
    .toSorted();
  const taken = new Map<number, string>();
  return files.map((name) => {
    const number = Number(NAME.exec(name)?.[1] ?? Number.NaN);
    if (Number.isNaN(number)) throw new Error(`A migration is called 0000_its_name.sql, not ${name}.`);
    const other = taken.get(number);
    if (other) throw new Error(`Two migrations have one number: ${other} and ${name}.`);
    taken.set(number, name);
    const sql = readFileSync(join(folder, name), 'utf8');
    const hash = createHash('sha256').update(sql).digest('hex');
    return { name, sql, hash, at: FIRST + number * 10 };
  });
}
