/** The head of a table of figures: what its rows are, then a column for each series. */
export function SeriesHead({
  labelHeader,
  series,
}: {
  labelHeader: string;
  series: readonly { key: string; label: string }[];
}) {
  return (
    <thead className="text-sm text-muted">
      <tr>
        <th scope="col" className="py-1.5 pr-4 font-medium">
          {labelHeader}
        </th>
        {series.map(({ key, label }) => (
          <th key={key} scope="col" className="px-2 py-1.5 text-right font-medium">
            {label}
          </th>
        ))}
      </tr>
    </thead>
  );
}
