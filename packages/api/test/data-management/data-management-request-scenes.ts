import { newId } from '@app/database/new-id';
import type { OpenScenes } from '../scene-kit.ts';

export const openScenes: OpenScenes = ({ query, next, workspaceId, admin }) => {
  /** An archive that lies here, looked through, with what was here before another one. One act at a time is begun. */
  async function addArchiveImport(): Promise<string> {
    const id = newId();
    await query(`UPDATE delivery_runs SET state = 'paused' WHERE state IN ('ready', 'running')`);
    await query(`UPDATE operations SET state = 'done', ended_at = now() WHERE ended_at IS NULL`);
    await query(`UPDATE archive_imports SET state = 'over'`);
    await query(
      `INSERT INTO archive_imports (id, workspace_id, file_name, user_name, state, touched_at, bytes, report, before_run, before_bytes,
                                     replaced_at, undoable_until, created_at)
       VALUES ($1, $2, 'a.archive', 'Ann', 'here', now(), 4, '{}', 1, 4, now(), now() + interval '1 day', now())`,
      [id, workspaceId],
    );
    return id;
  }

  return {
    scenes: {
      'dataManagement.startExport': async () => ({}),
      'dataManagement.startArchive': async () => {
        // One at a time, and so many of them.
        await query('DELETE FROM workspace_archives');
        return { withSecrets: false, passphrase: `for this one ${newId()}` };
      },
      'dataManagement.deleteArchive': async () => {
        const archiveId = newId();
        await query(
          `INSERT INTO workspace_archives (id, workspace_id, with_secrets, is_encrypted, run, bytes, created_at, kept_until)
         VALUES ($1, $2, false, false, 1, 4, now(), now() + interval '1 day')`,
          [archiveId, workspaceId],
        );
        return { archiveId };
      },
      'dataManagement.checkArchive': async () => ({ readingId: await addArchiveImport(), passphrase: null }),
      'dataManagement.replaceByArchive': async () => {
        const name = `Business ${next()}`;
        await query(
          `UPDATE workspaces SET settings = settings || jsonb_build_object('businessName', $2::text) WHERE id = $1`,
          [workspaceId, name],
        );
        return { readingId: await addArchiveImport(), passphrase: null, name };
      },
      'dataManagement.undoArchive': async () => ({ readingId: await addArchiveImport() }),
      'dataManagement.dropArchiveReading': async () => ({ readingId: await addArchiveImport() }),
      'dataManagement.undoImport': async () => {
        const importId = newId();
        await query(
          `WITH act AS (INSERT INTO operations (id, workspace_id, kind, state) VALUES ($1, $2, 'data-import', 'done'))
         INSERT INTO data_imports (id, workspace_id, file_name, prefers, is_dry_run, created_at, report, before)
         VALUES ($1, $2, 'backup.json', 'file', false, now(), '{}', '{"fields":[],"templates":[],"campaigns":[],"settings":[]}')`,
          [importId, workspaceId],
        );
        return { importId };
      },
      'dataManagement.clear': async () => {
        // What is under way stops first, and each time as much.
        await query('UPDATE delivery_runs SET completed_at = now() WHERE completed_at IS NULL');
        await query('UPDATE channels SET is_connected = true');
        const name = `Business ${next()}`;
        await query(
          `UPDATE workspaces SET settings = settings || jsonb_build_object('businessName', $2::text) WHERE id = $1`,
          [workspaceId, name],
        );
        return { name };
      },
      'dataManagement.startForReal': async () => {
        await query('UPDATE delivery_runs SET completed_at = now() WHERE completed_at IS NULL');
        await query('UPDATE channels SET is_connected = true');
        const name = `Business ${next()}`;
        await query(
          `UPDATE workspaces SET is_sample = true, settings = settings || jsonb_build_object('businessName', $2::text) WHERE id = $1`,
          [workspaceId, name],
        );
        return { name, businessName: `Real ${next()}` };
      },
      'dataManagement.updateRetention': async () => {
        const { version } = await (await admin.get('/api/data/retention')).json<{ version: number }>();
        return { version, messages: version % 2 === 0 ? 730 : 365, files: null, audit: null, logs: null };
      },
    },
  };
};
