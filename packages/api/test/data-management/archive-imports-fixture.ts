import { newId } from '@app/database/new-id';
import { archiveCheck } from '../../src/data-management/archive-import/check-operation.ts';
import type { ArchiveImport } from '../../src/data-management/archive-import/archive-import-rows.ts';
import { archiveReplacement } from '../../src/data-management/archive-import/replace-operation.ts';
import { workspaceArchive } from '../../src/data-management/archive-operation.ts';
import type { OperationKind } from '../../src/platform/operations/operation-kind.ts';
import { runOperation } from '../../src/platform/operations/run-operation.ts';
import type { ApiCaller, ApiFixture } from '../api-fixture.ts';

export const PASSPHRASE = 'a passphrase of the tests';
export type Operation = {
  id: string;
  state: string;
  done: number;
  total: number;
  error: { code: string } | null;
};

/** What tests of reading archives in do, in one workspace, in the name of one person. */
export function openArchiveImports(api: ApiFixture, caller: ApiCaller, workspaceId: string) {
  const work = async (
    kind: OperationKind,
    id: string,
    parts: Partial<ApiFixture['parts']> = {},
    signal = new AbortController().signal,
  ) => {
    await runOperation({ ...api.parts, ...parts }, kind, { id, workspaceId, signal });
    return (await caller.get(`/api/operations/${id}`)).json<Operation>();
  };
  const send = (bytes: Uint8Array, id = newId(), fileName = 'workspace.archive') =>
    caller.request(`/api/data/archive-readings?readingId=${id}&fileName=${fileName}`, {
      method: 'POST',
      body: bytes as Uint8Array<ArrayBuffer>,
      headers: { 'content-type': 'application/octet-stream' },
    });
  const sent = async (bytes: Uint8Array) => {
    const answer = await send(bytes);
    if (answer.status !== 201) throw new Error(await answer.text());
    return (await answer.json<ArchiveImport>()).id;
  };
  const check = async (readingId: string, passphrase: string | null = PASSPHRASE) => {
    const begun = await caller.post(`/api/data/archive-readings/${readingId}/check`, { passphrase });
    if (begun.status !== 200) throw new Error(await begun.text());
    return work(archiveCheck, (await begun.json<Operation>()).id);
  };
  const startReplacing = async (readingId: string, passphrase: string | null = PASSPHRASE) => {
    const { name } = await (await caller.get('/api/data')).json<{ name: string }>();
    return caller.post(`/api/data/archive-readings/${readingId}/replace`, { passphrase, name });
  };
  const replace = async (
    readingId: string,
    parts: Partial<ApiFixture['parts']> = {},
    passphrase: string | null = PASSPHRASE,
  ) => {
    const begun = await startReplacing(readingId, passphrase);
    if (begun.status !== 200) throw new Error(await begun.text());
    return work(archiveReplacement, (await begun.json<Operation>()).id, parts);
  };
  return {
    work,
    send,
    sent,
    check,
    startReplacing,
    replace,
    async take(passphrase: string | null = PASSPHRASE) {
      const begun = await caller.post('/api/data/archives', { withSecrets: passphrase !== null, passphrase });
      const { id } = await begun.json<Operation>();
      const done = await work(workspaceArchive, id);
      if (done.state !== 'done') throw new Error(JSON.stringify(done));
      const bytes = new Uint8Array(await (await caller.get(`/api/data/archives/${id}/file`)).arrayBuffer());
      await caller.delete(`/api/data/archives/${id}`);
      return bytes;
    },
    async undo(readingId: string) {
      const begun = await caller.post(`/api/data/archive-readings/${readingId}/undo`, {});
      if (begun.status !== 200) throw new Error(await begun.text());
      return work(archiveReplacement, (await begun.json<Operation>()).id);
    },
    async list() {
      return (await (await caller.get('/api/data/archive-readings')).json<{ items: ArchiveImport[] }>())
        .items;
    },
    /** A file, looked through and put in the place of what is here. */
    async readIn(bytes: Uint8Array, passphrase: string | null = PASSPHRASE) {
      const id = await sent(bytes);
      const checked = await check(id, passphrase);
      if (checked.state !== 'done') throw new Error(JSON.stringify(checked));
      const done = await replace(id, {}, passphrase);
      if (done.state !== 'done') throw new Error(JSON.stringify(done));
      return id;
    },
  };
}
