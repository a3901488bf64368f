import { useState } from 'react';
import { t } from '../../shared/messages.ts';
import { notify } from '../../ui/toast.ts';
import type { ContactList } from './contacts-table.tsx';
import { choiceOf, filterWords } from './contact-choice.ts';

type Format = 'json' | 'csv';

/** Exports what is on the screen: the selection, or all that match the search and filter, in the order of the list. */
export function useExport(contacts: Pick<ContactList, 'wanted' | 'selection'>) {
  const [isExporting, setExporting] = useState(false);
  const { wanted, selection } = contacts;
  const words = filterWords(wanted);
  const hasSelection = selection.selected.size > 0;
  return {
    isExporting,
    /** Says which contacts the file will hold. */
    hint: hasSelection
      ? t('contacts.exportSelected')
      : Object.keys(words).length > 0
        ? t('contacts.exportMatching')
        : t('contacts.exportAll'),
    async exportAs(format: Format) {
      setExporting(true);
      try {
        const choice = hasSelection ? choiceOf(selection, words) : { filter: words };
        await downloadContacts({ format, sort: wanted.sort, choice });
        notify.success(t(format === 'json' ? 'contacts.exportedJson' : 'contacts.exportedCsv'));
      } catch {
        notify.error(t(format === 'json' ? 'contacts.exportJsonFailed' : 'contacts.exportCsvFailed'));
      } finally {
        setExporting(false);
      }
    },
  };
}

/** Everything that is held about one person, also where the contact is gone and only kept for a while. */
export async function exportPersonData(contactId: string): Promise<void> {
  try {
    const isKept = await downloadFile(`/api/contacts/${contactId}/data`, {}, 'contact-data.json');
    if (isKept) notify.success(t('contacts.dataExported'));
    else notify.error(t('contacts.dataNotKept'));
  } catch {
    notify.error(t('contacts.dataFailed'));
  }
}

async function downloadContacts(wanted: { format: Format; sort: string; choice: object }): Promise<void> {
  const isThere = await downloadFile(
    '/api/contacts/export',
    {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(wanted),
    },
    `contacts.${wanted.format}`,
  );
  if (!isThere) throw new Error('What was to be exported is not there any more');
}

/** Fetched whole before it is saved, so that a file that broke off never looks complete. False when there is no such thing. */
async function downloadFile(address: string, init: RequestInit, otherName: string): Promise<boolean> {
  const response = await fetch(address, init);
  if (response.status === 404) return false;
  if (!response.ok) throw new Error(`The export answered ${response.status}`);
  const fileName = /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1];
  const blobAddress = URL.createObjectURL(await response.blob());
  const link = document.createElement('a');
  link.href = blobAddress;
  link.download = fileName ?? otherName;
  link.click();
  // The browser reads the blob after the click has returned.
  setTimeout(() => URL.revokeObjectURL(blobAddress), 60_000);
  return true;
}
