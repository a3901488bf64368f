import { FilterSelect } from '../../ui/table/filter-select.tsx';
import { t } from '../messages.ts';
import type { ListFilter } from './list-filters.ts';

/** The filters of a list in its toolbar. */
export function FilterSelects({
  filters,
  choice,
}: {
  filters: Record<string, Pick<ListFilter<never>, 'label' | 'all' | 'values' | 'say'>>;
  /** Of `useListPage`. */
  choice: (name: never) => { value: string; onChange: (value: never) => void };
}) {
  return Object.entries(filters).map(([name, { label, all, values, say }]) => {
    const { value, onChange } = choice(name as never); // the list was made of these filters
    return (
      <FilterSelect
        key={name}
        value={value}
        onChange={(chosen) => onChange(chosen as never)}
        label={t(label)}
        options={[{ value: 'all', label: t(all) }, ...values.map((one) => ({ value: one, label: say(one) }))]}
      />
    );
  });
}
