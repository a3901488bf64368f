import { cleanText } from '@app/domain/contacts/contact';
import { settleDayOrder, tellDayOrder, type DayOrder } from '@app/domain/custom-fields/day';
import type { ImportChoices, ImportRun } from '../import-run.ts';
import { ImportRefused } from './import-text.ts';
import { readFileRows, type FileReading } from './read-file-rows.ts';

/**
 * In which order the columns of a file write days, by the keys of their fields. The last row of a column may be the only one that tells, or one that
 * tells something else: the file is gone through once before its rows are read.
 */
export async function findDayOrders(
  { lookedInto, signal }: Pick<ImportRun, 'lookedInto' | 'signal'>,
  reading: Omit<FileReading, 'onColumns'>,
  { country }: Pick<ImportChoices, 'country'>,
): Promise<ReadonlyMap<string, DayOrder>> {
  const keys = reading.fields.filter(({ type }) => type === 'date').map(({ key }) => key);
  const told = new Map(keys.map((key) => [key, new Set<DayOrder>()]));
  if (keys.length === 0) return new Map();
  try {
    for await (const sources of readFileRows(lookedInto, { ...reading, onColumns: () => undefined })) {
      signal.throwIfAborted();
      for (const source of sources) {
        // Each row of a file with columns has all of them, but one of JSON has what it has.
        if (Array.isArray(source.asWritten) && !keys.some((key) => Object.hasOwn(source.custom ?? {}, key)))
          return new Map();
        for (const [key, orders] of told) {
          const value = source.custom?.[key];
          const order = typeof value === 'string' ? tellDayOrder(cleanText(value)) : undefined;
          if (order) orders.add(order);
        }
      }
    }
  } catch (error) {
    // Whoever reads the rows comes upon the same, and tells it.
    if (!(error instanceof ImportRefused)) throw error;
  }
  return new Map(
    [...told].flatMap(([key, orders]) => {
      const order = settleDayOrder(orders, country);
      return order ? [[key, order] as const] : [];
    }),
  );
}
