import { BYTE_ORDER_MARK, writeCsvRow } from '@app/domain/contact-imports/csv-cell';
import { saveBlob } from '../../ui/controls/save-blob.ts';
import type { Integration } from './integrations-queries.ts';

export type ExportFormat = 'csv' | 'json';

/** Saves the shown connections as a file. */
export function exportIntegrations(items: readonly Integration[], format: ExportFormat): void {
  const now = new Date().toISOString();
  const type = format === 'json' ? 'application/json' : 'text/csv;charset=utf-8';
  const content = writeIntegrations(items, format, now);
  saveBlob(new Blob([content], { type }), `integrations-${now.slice(0, 10)}.${format}`);
}

/** A line for each service, with its state and its figures. It holds no key and no part of one. */
export function writeIntegrations(
  items: readonly Integration[],
  format: ExportFormat,
  exportDate: string,
): string {
  const rows = items.map(rowOf);
  if (format === 'json') return JSON.stringify({ exportDate, version: '1.0', integrations: rows }, null, 2);
  const names = Object.keys(rowOf(items[0] ?? NONE));
  const lines = [names, ...rows.map((row) => Object.values(row).map((value) => String(value ?? '')))];
  return `${BYTE_ORDER_MARK}${lines.map((cells) => writeCsvRow(cells, ',')).join('')}`;
}

const NONE = {} as Integration; // only the names of its columns are read

function rowOf(one: Integration) {
  const syncs = one.syncsContacts && one.status !== 'disconnected';
  return {
    ...{ name: one.title, category: one.category, status: one.status, account: one.account },
    ...{ problem: one.problem, problemDetail: one.problemDetail },
    // A service that only receives events has no schedule.
    ...{ frequency: syncs ? one.frequency : null, nextSync: syncs ? one.nextSyncAt : null },
    ...{ lastSync: one.lastSyncedAt, lastDurationMs: one.lastDurationMs },
    ...{ recordsSynced: one.recordsSynced, errors: one.errors },
  };
}
