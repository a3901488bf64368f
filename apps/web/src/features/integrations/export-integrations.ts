import { saveBlob } from '../../ui/controls/save-blob.ts';
import type { Integration } from './integrations-queries.ts';

const COLUMNS = [
  'name',
  'category',
  'status',
  'frequency',
  'account',
  'recordsSynced',
  'errors',
  'lastSync',
  'lastDurationMs',
] as const;

/** Saves the shown connections as a file. It holds no key and no part of one. */
export function exportIntegrations(items: readonly Integration[], format: 'csv' | 'json'): void {
  const rows = items.map((one) => ({
    ...{ name: one.title, category: one.category, status: one.status, frequency: one.frequency },
    ...{ account: one.account, recordsSynced: one.recordsSynced, errors: one.errors },
    ...{ lastSync: one.lastSyncedAt, lastDurationMs: one.lastDurationMs },
  }));
  const day = new Date().toISOString().slice(0, 10);
  const content =
    format === 'json'
      ? JSON.stringify({ exportDate: new Date().toISOString(), version: '1.0', integrations: rows }, null, 2)
      : // The mark tells spreadsheets that the file is UTF-8.
        `\u{FEFF}${[COLUMNS.join(','), ...rows.map((row) => COLUMNS.map((name) => cell(row[name])).join(','))].join('\r\n')}\r\n`;
  const type = format === 'json' ? 'application/json' : 'text/csv;charset=utf-8';
  saveBlob(new Blob([content], { type }), `integrations-${day}.${format}`);
}

/** In quotes where it must be; a text that a spreadsheet would run as a formula stays a text. */
function cell(value: string | number | null): string {
  const text = String(value ?? '');
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
