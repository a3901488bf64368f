import { spawnSync } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, readFileSync, statSync } from 'node:fs';

/** The operating-system account PostgreSQL runs under; `undefined` means our own. */
export type ServerAccount = { uid: number; gid: number } | undefined;

/**
 * PostgreSQL refuses to run as root, so root hands it to the owner of existing data, else to `postgres`, else to
 * `nobody`. Everybody else runs it as themselves.
 */
export function chooseServerAccount(existingData?: string): ServerAccount {
  if (process.getuid?.() !== 0) return undefined;
  if (existingData && existsSync(existingData)) {
    const { uid, gid } = statSync(existingData);
    if (uid !== 0) return { uid, gid };
  }
  return readAccount('postgres') ?? readAccount('nobody') ?? { uid: 65534, gid: 65534 };
}

/** Tells whether the account can enter every directory on the way to `path` and read (or also write) it. */
export function canReach(account: ServerAccount, path: string, need: 'read' | 'write'): boolean {
  const flags = need === 'write' ? '-r "$1" && test -w "$1" && test -x "$1"' : '-r "$1" && test -x "$1"';
  return spawnSync('/bin/sh', ['-c', `test ${flags}`, 'sh', path], { ...account, cwd: '/' }).status === 0;
}

/** Creates a directory that only the server's account may enter. */
export function makePrivateDirectory(path: string, account: ServerAccount): void {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  if (account) chownSync(path, account.uid, account.gid);
}

function readAccount(name: string): ServerAccount {
  const line = existsSync('/etc/passwd')
    ? readFileSync('/etc/passwd', 'utf8')
        .split('\n')
        .find((entry) => entry.startsWith(`${name}:`))
    : undefined;
  if (!line) return undefined;
  const [, , uid, gid] = line.split(':').map(Number);
  return uid && gid ? { uid, gid } : undefined;
}
