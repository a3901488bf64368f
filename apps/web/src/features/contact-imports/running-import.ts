import { useSyncExternalStore } from 'react';
import type { DuplicateRule, ImportMapping } from '@app/domain/contact-imports/contact-import';
import type { PhoneCountry } from '@app/domain/contacts/phone-country';
import { api, newKey } from '../../shared/api.ts';
import { t } from '../../shared/messages.ts';
import { queryClient } from '../../shared/query-client.ts';
import { notify } from '../../ui/toast.ts';
import { refreshContacts } from '../../shared/contacts/contacts-queries.ts';

export type ContactImport = Awaited<ReturnType<typeof api.contactImports.get>>;

/** The import of this tab. It lives outside of the page, so that it goes on when the page is left. */
export type ImportChoices = {
  duplicates: DuplicateRule;
  isDryRun: boolean;
  /** Undefined leaves it to the headings of the file. */
  mapping: ImportMapping | undefined;
  country: PhoneCountry | undefined;
  isConsentStated: boolean;
};

export type RunningImport = {
  id: string;
  fileName: string;
  result: ContactImport | null;
  reason: string | null;
};

const POLL_MS = 400;
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
  return reason !== null || (result !== null && !isUnderWay(result));
}

/** Uploads the file while the server reads it, shows the outcome as toasts and keeps the result for the dialog. */
export function startImport(content: Blob | string, fileName: string, choices: ImportChoices): void {
  if (current && !isOver(current)) return;
  const id = newKey();
  set({ id, fileName, result: null, reason: null });
  addEventListener('beforeunload', warnBeforeUnload);
  void follow(id, upload(id, content, fileName, choices)).finally(() =>
    removeEventListener('beforeunload', warnBeforeUnload),
  );
}

export function forgetImport(): void {
  set(null);
}

/** One that is under way stays, and its banner with it. */
export function forgetFinishedImport(): void {
  if (current && isOver(current)) set(null);
}

/** The result on show is no longer what is in the list. */
export function markUndone(id: string): void {
  if (current?.id === id && current.result) update(id, { result: { ...current.result, state: 'undone' } });
}

export async function cancelImport(id: string): Promise<void> {
  try {
    update(id, { result: await api.contactImports.cancel({ importId: id }) });
  } catch {
    notify.error(t('common.error.offline'));
  }
}

type Answer = { isRefused: boolean; reason: string };

/** Null when the connection broke: what became of the import is then asked for. */
async function upload(
  id: string,
  content: Blob | string,
  fileName: string,
  { duplicates, isDryRun, mapping, country, isConsentStated }: ImportChoices,
): Promise<Answer | null> {
  const query = new URLSearchParams({
    importId: id,
    fileName,
    duplicates,
    ...(isDryRun && { dryRun: '1' }),
    ...(country && { country }),
    ...(isConsentStated && { consentStated: '1' }),
    ...(mapping && { mapping: JSON.stringify(mapping) }),
  });
  try {
    const response = await fetch(`/api/contacts/imports?${query}`, {
      method: 'POST',
      body: content,
      headers: { 'content-type': typeof content === 'string' ? 'text/plain' : content.type || 'text/plain' },
    });
    if (response.ok) return { isRefused: false, reason: '' };
    const body: { error?: { message?: string } } = await response.json().catch(() => ({}));
    return { isRefused: true, reason: body.error?.message ?? t('common.error.internal') };
  } catch {
    return null;
  }
}

async function follow(id: string, uploaded: Promise<Answer | null>): Promise<void> {
  let answer: Answer | null | undefined;
  void uploaded.then((value) => (answer = value));
  while (answer === undefined) {
    await Promise.race([uploaded, pause(POLL_MS)]);
    if (answer === undefined) await read(id);
  }
  const result = await readUntilOver(id);
  if (result) settle(id, result);
  else {
    const reason = answer?.isRefused ? answer.reason : null;
    update(id, { reason: reason ?? t('contacts.uploadFailed') });
    notify.error(reason === null ? t('contacts.uploadFailed') : t('contacts.importRefused', { reason }));
  }
}

function settle(id: string, result: ContactImport): void {
  update(id, { result });
  const { state, successful, failed, reason, isDryRun } = result;
  if (state === 'cancelled') notify.info(t('contacts.importCancelled'));
  else if (state === 'failed') notify.error(t('contacts.importRefused', { reason: reason ?? '' }));
  else if (!isDryRun) {
    if (successful > 0) notify.success(t('contacts.importDone', { n: successful }));
    if (failed > 0) notify.error(t('contacts.importSomeFailed', { n: failed }));
  }
  void refreshContacts(queryClient);
}

/** Null when the server knows nothing of the import. */
async function readUntilOver(id: string): Promise<ContactImport | null> {
  for (let attempt = 0; attempt < 300; attempt += 1) {
    const result = await read(id);
    if (result === null && attempt > 2) return null;
    if (result && !isUnderWay(result)) return result;
    await pause(POLL_MS);
  }
  return null;
}

async function read(id: string): Promise<ContactImport | null> {
  try {
    const result = await api.contactImports.get({ importId: id });
    update(id, { result });
    return result;
  } catch {
    return null;
  }
}

function isUnderWay({ state }: ContactImport): boolean {
  return state === 'running' || state === 'cancelling';
}

function update(id: string, patch: Partial<RunningImport>): void {
  if (current?.id === id) set({ ...current, ...patch });
}

function set(next: RunningImport | null): void {
  current = next;
  for (const listener of listeners) listener();
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

function warnBeforeUnload(event: BeforeUnloadEvent): void {
  event.preventDefault();
}
