import { useSyncExternalStore } from 'react';
import type { DuplicateRule } from '@app/domain/contact-imports/contact-import';
import type { StatedConsent } from '@app/domain/contact-imports/import-consent';
import type { ImportMapping } from '@app/domain/contact-imports/import-mapping';
import { writeTagCell } from '@app/domain/contact-imports/tag-cell';
import type { PhoneCountry } from '@app/domain/contacts/phone-country';
import type { AmbiguousReading } from '@app/domain/contacts/ambiguous-number';
import { api, newKey, orpc } from '../../shared/api.ts';
import { findErrorMessage } from '../../shared/error-messages.ts';
import { reasonOf } from '../../shared/operations/operation-messages.ts';
import { followOperation } from '../../shared/operations/follow-operation.ts';
import { operationsOptions } from '../../shared/operations/operations.ts';
import { t } from '../../shared/messages.ts';
import { queryClient } from '../../shared/query-client.ts';
import { dismissOperation } from '../../shared/operations/dismiss-operation.ts';
import { notify } from '../../ui/toast.ts';
import { refreshContacts } from '../../shared/contacts/contacts-queries.ts';
import { workspaceHeader } from '../../shared/workspaces/tab-workspace.ts';

export type ContactImport = Awaited<ReturnType<typeof api.contactImports.get>>;

/** The import of this tab. It lives outside of the page, so that it goes on when the page is left. */
export type ImportChoices = {
  duplicates: DuplicateRule;
  isDryRun: boolean;
  /** Undefined leaves it to the headings of the file. */
  mapping: ImportMapping | undefined;
  country: PhoneCountry | undefined;
  /** How numbers are read that can be of that country and of another. */
  twofold: AmbiguousReading;
  isConsentStated: boolean;
  /** That is said of a column that speaks of SMS or mail. */
  coversOtherChannels: boolean;
  /** Everybody in the file agreed. */
  statedConsent: StatedConsent | undefined;
  /** For everybody in the file. */
  tags: readonly string[];
  /** The first row is a contact already. */
  isHeadless: boolean;
  /** Of a workbook; undefined is its first. */
  sheet: string | undefined;
  /** In which letters it is read; undefined leaves it to the server. */
  encoding?: string | undefined;
  /** The import of the same file whose rows are imported once more as an update. */
  insteadOf?: string | undefined;
};

export type RunningImport = {
  id: string;
  fileName: string;
  result: ContactImport | null;
  /** Why nothing came of it, where the server keeps no outcome. */
  reason: string | null;
  /** What was sent and how, while this tab has it: the same file can be imported again in another way. */
  source?: { content: Blob | string; choices: ImportChoices };
};

const listeners = new Set<() => void>();
let current: RunningImport | null = null;

export function useRunningImport(): RunningImport | null {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => current,
  );
}

export function isOver({ result, reason }: RunningImport): boolean {
  return reason !== null || result !== null;
}

/** Uploads the file, shows the outcome as toasts and keeps the result for the dialog. Once it is uploaded no tab is needed. */
export function startImport(content: Blob | string, fileName: string, choices: ImportChoices): void {
  if (current && !isOver(current)) return;
  const id = newKey();
  set({ id, fileName, result: null, reason: null, source: { content, choices } });
  void follow(id, upload(id, content, fileName, choices));
}

/** Shows what came of an earlier one. */
export function showImport(result: ContactImport): void {
  if (current && !isOver(current)) return;
  set({ id: result.id, fileName: result.fileName, result, reason: null });
}

/** What came of this one is still on show. */
export function isOnShow(id: string): boolean {
  return current?.id === id;
}

export function clearImport(): void {
  set(null);
}

/** One that is under way stays, and its banner with it. */
export function clearFinishedImport(): void {
  if (!current || !isOver(current)) return;
  // Whoever read in the dialog what came of it needs no line about it on every page.
  if (current.result) void putAway(current.id);
  set(null);
}

async function putAway(operationId: string): Promise<void> {
  await api.operations.dismiss({ operationId }).catch(() => undefined);
  await queryClient.invalidateQueries({ queryKey: operationsOptions().queryKey });
}

/** The result on show is no longer what is in the list. */
export function markUndone(id: string): void {
  if (current?.id === id && current.result) update(id, { result: { ...current.result, state: 'undone' } });
}

export async function cancelImport(id: string): Promise<void> {
  try {
    await api.operations.cancel({ operationId: id });
  } catch {
    notify.error(t('common.error.offline'));
  }
  await queryClient.invalidateQueries({ queryKey: orpc.operations.key() });
}

/** `isUnknown`: nothing was begun, so that nobody can be asked. */
type Answer = { isUnknown: boolean; reason: string };

/** Null when the connection broke: what became of the import is then asked for. */
async function upload(
  id: string,
  content: Blob | string,
  fileName: string,
  choices: ImportChoices,
): Promise<Answer | null> {
  const { duplicates, isDryRun, mapping, country, isConsentStated, coversOtherChannels } = choices;
  const { statedConsent, tags, isHeadless, sheet, insteadOf, twofold } = choices;
  const query = new URLSearchParams({
    importId: id,
    fileName,
    duplicates,
    ...(isDryRun && { dryRun: '1' }),
    ...(country && { country, twofold }),
    ...(isConsentStated && { consentStated: coversOtherChannels ? 'every-channel' : '1' }),
    ...(mapping && { mapping: JSON.stringify(mapping), ...(isHeadless && { headings: '0' }) }),
    ...(tags.length > 0 && { tags: writeTagCell(tags) }),
    ...(statedConsent && { agreedWhere: statedConsent.where, agreedOn: statedConsent.on }),
    ...(sheet !== undefined && { sheet }),
    ...(choices.encoding !== undefined && { encoding: choices.encoding }),
    ...(insteadOf !== undefined && { insteadOf }),
  });
  try {
    const response = await fetch(`/api/contacts/imports?${query}`, {
      method: 'POST',
      body: content,
      headers: {
        'content-type': typeof content === 'string' ? 'text/plain' : content.type || 'text/plain',
        ...workspaceHeader(),
      },
    });
    if (response.ok) return { isUnknown: false, reason: '' };
    const body: { error?: { code?: string } } = await response.json().catch(() => ({}));
    const code = body.error?.code ?? 'internal';
    const words = findErrorMessage(code) ?? 'common.error.internal';
    // What is wrong with the file stands with the import.
    return { isUnknown: code !== 'contact_import_failed' && code !== 'internal', reason: t(words) };
  } catch {
    return null;
  }
}

async function follow(id: string, uploading: Promise<Answer | null>): Promise<void> {
  // Until the file is there it needs this tab.
  const isReceiving = () =>
    queryClient.getQueryData(operationsOptions().queryKey)?.items.find((operation) => operation.id === id)
      ?.phase !== 'reading';
  const warn = (event: BeforeUnloadEvent) => {
    if (isReceiving()) event.preventDefault();
  };
  addEventListener('beforeunload', warn);
  const answer = await uploading;
  removeEventListener('beforeunload', warn);
  const result = answer?.isUnknown ? null : await readOutcome(id);
  if (result) return settle(id, result);
  const reason = answer?.reason || t('contacts.uploadFailed');
  update(id, { reason });
  notify.error(answer?.reason ? t('contacts.importRefused', { reason }) : reason);
}

/** Null when the server knows nothing of the import. */
async function readOutcome(id: string): Promise<ContactImport | null> {
  const operation = await followOperation(id);
  if (!operation) return null;
  return api.contactImports.get({ importId: id }).catch(() => null);
}

function settle(id: string, result: ContactImport): void {
  update(id, { result });
  const { state, successful, failed, isDryRun } = result;
  // The line above the page would go on counting beside the result; it stays for rows that are to be mended.
  if (state === 'done' && (isDryRun || failed === 0)) void dismissOperation(id);
  else void queryClient.invalidateQueries({ queryKey: operationsOptions().queryKey });
  if (state === 'cancelled') notify.info(t('contacts.importCancelled'));
  else if (state === 'failed')
    notify.error(t('contacts.importRefused', { reason: reasonOf({ error: result.problem }) }));
  else if (!isDryRun) {
    if (successful > 0) notify.success(t('contacts.importDone', { n: successful }));
    if (failed > 0) notify.error(t('contacts.importSomeFailed', { n: failed }));
  }
  void refreshContacts(queryClient);
}

function update(id: string, patch: Partial<RunningImport>): void {
  if (current?.id === id) set({ ...current, ...patch });
}

function set(next: RunningImport | null): void {
  current = next;
  for (const listener of listeners) listener();
}
