import { formatNumber } from '../../shared/formats.ts';
import { t } from '../../shared/messages.ts';

interface CountTableProps {
  label: string;
  columns: readonly string[];
  rows: readonly { name: string; counts: readonly number[] }[];
}

/** How many of each kind, by column. */
export function CountTable({ label, columns, rows }: CountTableProps) {
  return (
    // So many columns fit a telephone only in a frame of their own.
    <div className="overflow-x-auto" tabIndex={0} role="group" aria-label={label}>
      <table className="w-full text-left tabular-nums">
        <thead className="text-sm text-muted">
          <tr>
            <th scope="col" className="py-1 pr-3 font-medium">
              {t('dataManagement.import.kind')}
            </th>
            {columns.map((column) => (
              <th key={column} scope="col" className="py-1 pl-3 text-right font-medium">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-border">
          {rows.map(({ name, counts }) => (
            <tr key={name}>
              <th scope="row" className="py-1.5 pr-3 font-normal">
                {name}
              </th>
              {counts.map((count, place) => (
                <td key={columns[place]} className="py-1.5 pl-3 text-right">
                  {formatNumber(count)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
