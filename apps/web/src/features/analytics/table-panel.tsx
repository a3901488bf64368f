import { Download } from 'lucide-react';
import type { ReactNode } from 'react';
import { formatNumber } from '../../shared/formats.ts';
import { t } from '../../shared/messages.ts';
import { IconButton } from '../../ui/button.tsx';
import { SeriesTable } from '../../ui/charts/series-table.tsx';
import { Panel } from '../../ui/page-frame.tsx';
import { Skeleton, SkeletonRegion } from '../../ui/states.tsx';
import { PressedFigure } from './figure-cards.tsx';
import type { ReportTable } from './report-tables.ts';

/** A report that is read as a table, and kept as CSV. */
export function TablePanel({
  table,
  purpose,
  empty,
  formats = {},
  fileLabels = {},
  actions,
  onPress,
}: {
  table: ReportTable;
  purpose?: string;
  /** In place of a table without rows. */
  empty: string;
  /** How the figures of a column are shown; the file holds them as they are. */
  formats?: Record<string, (value: number) => string>;
  /** What columns are called in the file, where that says more. */
  fileLabels?: Record<string, string>;
  actions?: ReactNode;
  /** Makes a figure a button; undefined for one that cannot be pressed. */
  onPress?: (row: number, key: string) => (() => void) | undefined;
}) {
  const { title, labelHeader, series, points } = table;
  return (
    <Panel
      title={title}
      purpose={purpose}
      actions={
        <>
          {actions}
          {points && points.length > 0 ? (
            <IconButton
              size="small"
              label={t('analytics.downloadTable', { table: title })}
              onClick={() =>
                void import('../../ui/charts/chart-files.ts').then(({ saveCsv }) =>
                  saveCsv({
                    ...table,
                    series: series.map((one) => ({ ...one, label: fileLabels[one.key] ?? one.label })),
                  }),
                )
              }
            >
              <Download aria-hidden />
            </IconButton>
          ) : null}
        </>
      }
    >
      {points === undefined ? (
        <SkeletonRegion>
          <Skeleton className="h-44 w-full" />
        </SkeletonRegion>
      ) : points.length === 0 ? (
        <p className="grid h-32 place-items-center text-center text-muted">{empty}</p>
      ) : (
        <SeriesTable
          {...{ title, labelHeader, series }}
          rows={points}
          cell={({ label, values }, key, row) => {
            const value = values[key];
            if (value === undefined) return '–';
            return (
              <PressedFigure label={t('analytics.people.showOf', { label })} onPress={onPress?.(row, key)}>
                {(formats[key] ?? formatNumber)(value)}
              </PressedFigure>
            );
          }}
        />
      )}
    </Panel>
  );
}
