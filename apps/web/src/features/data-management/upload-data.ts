import type { ImportPreference } from '@app/domain/data-management/data-import';
import { askToReauthenticate } from '../../shared/actions/ask-to-reauthenticate.ts';
import { api, newKey, orpc } from '../../shared/api.ts';
import { findErrorMessage } from '../../shared/error-messages.ts';
import { problemText, reasonOf } from '../../shared/operations/operation-messages.ts';
import { followOperation } from '../../shared/operations/follow-operation.ts';
import { t } from '../../shared/messages.ts';
import { queryClient } from '../../shared/query-client.ts';
import { workspaceHeader } from '../../shared/workspaces/tab-workspace.ts';

export type DataImport = Awaited<ReturnType<typeof api.dataManagement.getImport>>;

/** What came of it; a reason where nothing did. */
export type Uploaded = { found: DataImport } | { reason: string };

type Upload = { id: string; file: File; way: ImportWay; isDryRun: boolean };

/** Merged, and what wins there; or in the place of what is here, once its name was typed. */
export type ImportWay = { prefers: ImportPreference } | { name: string };

export const newImportId = newKey;

/** Sends the file, and answers when it is imported or tried; that goes on also where the page is left once the file is there. */
export async function uploadData({ id, file, way, isDryRun }: Upload): Promise<Uploaded> {
  const query = new URLSearchParams({
    ...{ importId: id, fileName: file.name, ...way },
    ...(isDryRun && { dryRun: '1' }),
  });
  void queryClient.invalidateQueries({ queryKey: orpc.operations.key() });
  // Until the file is there it needs this tab.
  const warn = (event: BeforeUnloadEvent) => event.preventDefault();
  addEventListener('beforeunload', warn);
  try {
    const response = await sendProved(
      `/api/data/${'name' in way ? 'replacements' : 'imports'}?${query}`,
      file,
    );
    if (!response.ok) {
      // A file that is refused stands where it is read, not in the banner as well.
      void api.operations.dismiss({ operationId: id }).catch(() => undefined);
      return { reason: await readReason(response) };
    }
  } catch {
    // What became of it is asked for below.
  } finally {
    removeEventListener('beforeunload', warn);
  }
  const operation = await followOperation(id);
  const found = await api.dataManagement.getImport({ importId: id }).catch(() => null);
  if (found?.state === 'done') {
    if (isDryRun) await api.operations.dismiss({ operationId: id }).catch(() => undefined);
    await queryClient.invalidateQueries({ queryKey: orpc.operations.key() });
    return { found };
  }
  if (found?.state === 'cancelled') return { reason: t('operations.cancelled') };
  return { reason: operation ? reasonOf(operation) : t('common.error.offline') };
}

/** Once more after the person has proved who they are, where that is asked. */
async function sendProved(address: string, file: File): Promise<Response> {
  const send = () =>
    fetch(address, {
      method: 'POST',
      body: file,
      headers: { 'content-type': 'application/json', ...workspaceHeader() },
    });
  const answer = await send();
  if (answer.ok) return answer;
  const { error }: Refusal = await answer
    .clone()
    .json()
    .catch(() => ({}));
  return error?.code === 'password_needed' && (await askToReauthenticate()) ? send() : answer;
}

type Refusal = { error?: { code?: string; details?: { values?: Record<string, string | number> } } };

async function readReason(response: Response): Promise<string> {
  const { error }: Refusal = await response.json().catch(() => ({}));
  const { problem, ...values } = error?.details?.values ?? {};
  if (typeof problem === 'string') return problemText('file', { code: problem, values });
  // What else goes on has the words that it has where an act fails by it.
  if (error?.code === 'runs_under_way' || error?.code === 'acts_under_way')
    return problemText('file', { code: error.code, values });
  if (error?.code === 'data_name_different') return t('dataManagement.reading.nameDifferent');
  return t(findErrorMessage(error?.code ?? 'internal') ?? 'common.error.internal');
}
