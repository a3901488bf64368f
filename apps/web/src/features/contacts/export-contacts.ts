import { useState } from 'react';
import type { ExportFormat } from '@app/domain/contacts/export-format';
import { api, readFailure } from '../../shared/api.ts';
import { errorMessage } from '../../shared/error-message.ts';
import { downloadWhenReady } from '../../shared/operations/download-operation.ts';
import type { Operation } from '../../shared/operations/operations.ts';
import { t } from '../../shared/messages.ts';
import { can } from '../../shared/session.ts';
import { saveBlob } from '../../ui/controls/save-blob.ts';
import { notify } from '../../ui/toast.ts';
import type { ContactList } from './list/contact-list.ts';
import type { MenuEntry } from '../../ui/overlays/menu.tsx';
import type { ListLayoutChoice } from './list/list-layout.ts';
import { choiceOf, filterWords } from './list/contact-choice.ts';
import { inWorkspace } from '../../shared/workspaces/tab-workspace.ts';

/** A copy of contacts as a file: more than reading them on the screen. */
export function mayExportContacts(): boolean {
  return can('contacts:read') && can('contacts:export');
}

/** Exports what is on the screen: the selection, or all that match the search and filter, in the order and with the columns of the list. */
export function useExport(
  contacts: Pick<ContactList, 'wanted' | 'selection'>,
  { columns }: Pick<ListLayoutChoice, 'columns'>,
) {
  const [isExporting, setExporting] = useState(false);
  const { wanted, selection } = contacts;
  const words = filterWords(wanted);
  const hasSelection = selection.selected.size > 0;

  async function exportAs(format: ExportFormat, isWhole = false): Promise<void> {
    setExporting(true);
    try {
      const choice = hasSelection ? choiceOf(selection, words) : { filter: words };
      const wish = { format, sort: wanted.sort, choice };
      const begun = await api.contacts.startExport(isWhole ? wish : { ...wish, columns: [...columns] });
      void tellWhenReady(format, downloadWhenReady(begun));
    } catch (error) {
      if (readFailure(error).code === 'password_needed') notify.error(errorMessage(error));
      else tellFailed(format);
    } finally {
      setExporting(false);
    }
  }

  /** Which contacts the file will hold. */
  const who = hasSelection
    ? t('contacts.exportSelected')
    : Object.keys(words).length > 0
      ? t('contacts.exportMatching')
      : t('contacts.exportAll');
  const shown = t('contacts.exportShown', { contacts: who });
  const entries: MenuEntry[] = [
    { label: t('contacts.exportJson'), hint: shown, onSelect: () => void exportAs('json') },
    { label: t('contacts.exportCsv'), hint: shown, onSelect: () => void exportAs('csv') },
    { label: t('contacts.exportXlsx'), hint: shown, onSelect: () => void exportAs('xlsx') },
    {
      label: t('contacts.exportCsvAll'),
      hint: t('contacts.exportEvery', { contacts: who }),
      onSelect: () => void exportAs('csv', true),
    },
  ];
  return { isExporting, entries };
}

async function tellWhenReady(format: ExportFormat, ending: Promise<Operation | null>): Promise<void> {
  const operation = await ending;
  if (operation?.file) notify.success(t(format === 'csv' ? 'contacts.exportedCsv' : 'contacts.exportedJson'));
  else if (operation?.state !== 'cancelled') tellFailed(format);
}

function tellFailed(format: ExportFormat): void {
  notify.error(t(format === 'csv' ? 'contacts.exportCsvFailed' : 'contacts.exportJsonFailed'));
}

/** Everything that is held about one person, also where the contact is gone and only kept for a while. */
export async function exportPersonData(contactId: string): Promise<void> {
  try {
    const isKept = await downloadFile(inWorkspace(`/api/contacts/${contactId}/data`), 'contact-data.json');
    if (isKept) notify.success(t('contacts.dataExported'));
    else notify.error(t('contacts.dataNotKept'));
  } catch {
    notify.error(t('contacts.dataFailed'));
  }
}

/** Fetched whole before it is saved, so that a file that broke off never looks complete. False when there is no such thing. */
async function downloadFile(address: string, otherName: string): Promise<boolean> {
  const response = await fetch(address);
  if (response.status === 404) return false;
  if (!response.ok) throw new Error(`The export answered ${response.status}`);
  const fileName = /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1];
  saveBlob(await response.blob(), fileName ?? otherName);
  return true;
}
