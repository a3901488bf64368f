import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openBenchDatabase } from '../harness/bench-database.ts';
import type { Bench, BenchRow } from '../harness/bench-report.ts';
import { root } from '../harness/processes.ts';
import { show } from '../harness/rounds.ts';
import { inSmall } from '../../tools/small-run.ts';

type Run = { seconds: number; peakMb: number };
type Measured = { taken: Run; restored: Run; verified: Run };
type Size = { contacts: number; files: number };

const FILE_BYTES = 5_000_000;
const SECRET_KEY = 'a key of this benchmark alone, long enough';

/**
 * Peak memory and time of the commands, encrypted and on one machine, for a small and a large installation: `--large` contacts, and 1 GB of files for
 * each million. What is verified was restored into a scratch database and compared there, table by table and file by file.
 */
export const backup: Bench = {
  title: 'Backup and restore',
  async run({ large }) {
    const folder = mkdtempSync('/tmp/messaging-bench-backup-');
    const database = await openBenchDatabase();
    try {
      const measure = async (size: Size): Promise<Measured> => {
        await database.removeContacts();
        await database.addContacts(size.contacts);
        await addFiles(size);
        const file = join(folder, `${size.contacts}.backup`);
        const taken = await command('backup', [file], 'source');
        const megabytes = statSync(file).size / 1e6;
        const restored = await command('restore', [file], 'target', true);
        rmSync(file);
        const verified = await command('backup', [file, '--verify'], 'source');
        rmSync(file);
        console.log(
          `  ${size.contacts} contacts, ${size.files * (FILE_BYTES / 1e6)} MB of files: ${show(megabytes)} MB, backup ${show(taken.seconds)} s with ${show(taken.peakMb)} MB, restore ${show(restored.seconds)} s with ${show(restored.peakMb)} MB, verified ${show(verified.seconds)} s with ${show(verified.peakMb)} MB`,
        );
        return { taken, restored, verified };
      };
      const addFiles = async ({ files }: Size) => {
        const pool = database.database.systemPool;
        await pool.query('DELETE FROM media');
        mkdirSync(join(folder, 'source', 'uploads', 'bench'), { recursive: true });
        for (let file = 0; file < files; file += 1) {
          writeFileSync(join(folder, 'source', 'uploads', 'bench', String(file)), randomBytes(FILE_BYTES));
          await pool.query(
            `INSERT INTO media (id, workspace_id, name, type, mime_type, size, sha256, storage_key)
             VALUES (gen_random_uuid(), $1, $2, 'image', 'image/png', $3, '', $4)`,
            [database.workspaceId, String(file), FILE_BYTES, `bench/${file}`],
          );
        }
      };
      /** The source is the database of the benchmark; the target is an embedded one that begins empty. */
      const command = (
        name: 'backup' | 'restore',
        args: string[],
        side: string,
        isOwn = false,
      ): Promise<Run> => {
        const target = join(folder, side);
        if (isOwn) rmSync(target, { recursive: true, force: true });
        const script = join(root, `apps/server/src/backup/${name}-command.ts`);
        const child = spawn(process.execPath, [script, ...args], {
          env: {
            PATH: process.env['PATH'],
            ...{ DATA_DIR: target, SECRET_KEY, BACKUP_PASSPHRASE: 'of this benchmark alone' },
            ...(!isOwn && { DATABASE_URL: database.url }),
          },
          stdio: ['ignore', 'ignore', 'inherit'],
        });
        const begun = performance.now();
        let peakMb = 0;
        const timer = setInterval(() => (peakMb = Math.max(peakMb, readPeak(child.pid))), 50);
        return new Promise((resolve, reject) => {
          child.on('close', (code) => {
            clearInterval(timer);
            const seconds = (performance.now() - begun) / 1_000;
            if (code === 0) resolve({ seconds, peakMb });
            else reject(new Error(`${name} ended with ${code}`));
          });
        });
      };
      const few = await measure({ contacts: inSmall(100, 10_000), files: inSmall(1, 4) });
      const many = await measure({ contacts: large, files: Math.round(large / 5_000) });
      return (['taken', 'restored', 'verified'] as const).flatMap((which): BenchRow[] => {
        const name = { taken: 'backup', restored: 'restore', verified: 'backup that is verified' }[which];
        const growth = many[which].peakMb - few[which].peakMb;
        return [
          {
            figure: `memory of the ${name}, from 10,000 contacts to ${large.toLocaleString('en')}`,
            measured: `${show(growth)} MB more (${show(few[which].peakMb)} → ${show(many[which].peakMb)})`,
            peer: '',
            goal: '≤ 50 MB',
            isMet: growth <= 50,
          },
          {
            figure: `time of the ${name}`,
            measured: `${show(many[which].seconds)} s (${show(few[which].seconds)} s for 10,000)`,
            peer: '',
            goal: '',
            isMet: true,
          },
        ];
      });
    } finally {
      await database.close();
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

/** The most that a process ever had in memory, in megabytes. */
function readPeak(pid: number | undefined): number {
  try {
    const [, kilobytes = '0'] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return Number(kilobytes) / 1024;
  } catch {
    return 0;
  }
}
