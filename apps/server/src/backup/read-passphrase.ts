import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { SHORTEST_PASSPHRASE } from '@app/domain/data-management/workspace-archive';
import { readBackupPassphrase, type Environment } from '../config.ts';
import { CommandRefused } from './command-refused.ts';

/** From the environment, else asked for where somebody sits at a terminal. Undefined: the file is not encrypted. */
export async function chooseNewPassphrase(env: Environment): Promise<string | undefined> {
  const given = readBackupPassphrase(env);
  if (given !== undefined || env['BACKUP_PASSPHRASE'] !== undefined || !process.stdin.isTTY) return given;
  const chosen = await askQuietly(
    'Passphrase (leave it empty to write an open file without credentials and second steps): ',
  );
  if (chosen === '') return undefined;
  if (chosen.length < SHORTEST_PASSPHRASE)
    throw new CommandRefused(`A passphrase must have at least ${SHORTEST_PASSPHRASE} characters.`);
  if ((await askQuietly('The same again: ')) !== chosen)
    throw new CommandRefused('The two passphrases differ: nothing was written.');
  return chosen;
}

/** For a file that is encrypted. */
export async function readPassphraseOf(env: Environment): Promise<string | undefined> {
  return (
    env['BACKUP_PASSPHRASE'] || (process.stdin.isTTY ? askQuietly('Passphrase of the file: ') : undefined)
  );
}

/** A question whose answer is typed in full. */
export function ask(question: string): Promise<string> {
  return askThrough(question, process.stdout);
}

function askQuietly(question: string): Promise<string> {
  process.stdout.write(question);
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  return askThrough('', nowhere).finally(() => process.stdout.write('\n'));
}

function askThrough(question: string, output: NodeJS.WritableStream): Promise<string> {
  const lines = createInterface({ input: process.stdin, output, terminal: process.stdin.isTTY });
  return new Promise((resolve) => {
    lines.once('close', () => resolve(''));
    lines.question(question, (answer) => {
      resolve(answer.trim());
      lines.close();
    });
  });
}
