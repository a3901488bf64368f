import { useState } from 'react';
import { t } from '../../shared/messages.ts';
import { notify } from '../../ui/toast.tsx';

type Format = 'json' | 'csv';

export function useExport(): { isExporting: boolean; exportAs: (format: Format) => Promise<void> } {
  const [isExporting, setExporting] = useState(false);
  return {
    isExporting,
    async exportAs(format) {
      setExporting(true);
      try {
        await downloadContacts(format);
        notify.success(t(format === 'json' ? 'contacts.exportedJson' : 'contacts.exportedCsv'));
      } catch {
        notify.error(t(format === 'json' ? 'contacts.exportJsonFailed' : 'contacts.exportCsvFailed'));
      } finally {
        setExporting(false);
      }
    },
  };
}

/** Fetched whole before it is saved, so that a file that broke off never looks complete. */
async function downloadContacts(format: Format): Promise<void> {
  const response = await fetch(`/api/contacts/export?format=${format}`);
  if (!response.ok) throw new Error(`The export answered ${response.status}`);
  const fileName = /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1];
  const address = URL.createObjectURL(await response.blob());
  const link = document.createElement('a');
  link.href = address;
  link.download = fileName ?? `contacts.${format}`;
  link.click();
  // The browser reads the blob after the click has returned.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
