import type { ReactNode } from 'react';
import { SeriesHead } from './series-head.tsx';

/** Rows of figures, one column for each series. A wide one scrolls inside its panel, by keyboard too. */
export function SeriesTable<Row extends { label: string }>({
  title,
  labelHeader,
  series,
  rows,
  cell,
}: {
  /** Read aloud before the table. */
  title: string;
  labelHeader: string;
  series: readonly { key: string; label: string }[];
  rows: readonly Row[];
  cell: (row: Row, key: string, at: number) => ReactNode;
}) {
  return (
    <div className="overflow-x-auto" tabIndex={0} role="region" aria-label={title}>
      <table className="w-full text-left tabular-nums">
        <caption className="sr-only">{title}</caption>
        <SeriesHead labelHeader={labelHeader} series={series} />
        <tbody>
          {rows.map((row, at) => (
            <tr key={`${at}${row.label}`} className="border-t border-border align-top">
              <th scope="row" className="min-w-32 py-2 pr-4 font-normal wrap-anywhere">
                <bdi>{row.label}</bdi>
              </th>
              {series.map(({ key }) => (
                <td key={key} className="px-2 py-2 text-right whitespace-nowrap">
                  {cell(row, key, at)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
