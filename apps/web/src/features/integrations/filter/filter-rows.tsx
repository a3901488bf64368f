import {
  filterLimits,
  filterOperators,
  isCompleteRule,
  takesValues,
  type FilterOperator,
} from '@app/domain/integrations/sync-filter';
import { useQuery } from '@tanstack/react-query';
import { Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { orpc } from '../../../shared/api.ts';
import { t } from '../../../shared/messages.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { Combobox, MultiSelect } from '../../../ui/controls/combobox.tsx';
import { Select } from '../../../ui/controls/select.tsx';
import { Input } from '../../../ui/input.tsx';
import { type Integration } from '../integrations-queries.ts';
import { FieldsError } from './fields-error.tsx';

type Filter = Integration['filter'];
/** A rule while it is written. `text` are its values as they were typed. */
type Row = { id: number; field: string; operator: FilterOperator; values: string[]; text: string };

const begin = (filter: Filter): Row[] =>
  filter.map((rule, id) => ({ ...rule, id, text: rule.values.join(', ') }));
const rulesOf = (rows: readonly Row[]): Filter =>
  rows.map(({ field, operator, values }) => ({
    ...{ field, operator, values: takesValues(operator) ? values : [] },
  }));

/** Which records of the service come in: rules about its fields, which all have to be met. */
export function FilterRows({
  integration: { kind, title },
  filter,
  onChange,
  isLocked,
}: {
  integration: Pick<Integration, 'kind' | 'title'>;
  /** As it is when it opens. */
  filter: Filter;
  onChange: (filter: Filter) => void;
  isLocked: boolean;
}) {
  const { data, error, refetch } = useQuery(orpc.integrations.listFields.queryOptions({ input: { kind } }));
  const [rows, setRows] = useState(() => begin(filter));
  const fields = data?.items ?? [];
  const set = (next: Row[]) => {
    setRows(next);
    onChange(rulesOf(next));
  };
  const change = (id: number, patch: Partial<Row>) =>
    set(rows.map((row) => (row.id === id ? { ...row, ...patch } : row)));
  const first = fields.find(({ name }) => name !== 'name' && name !== 'phone');
  return (
    <div className="mt-3 grid gap-3">
      <p className="text-sm text-muted">{t('integrations.filterText', { name: title })}</p>
      {error && !data ? <FieldsError error={error} onRetry={() => void refetch()} /> : null}
      {rows.map((row, place) => {
        const field = fields.find(({ name }) => name === row.field);
        const named = { value: row.field, label: field?.label ?? row.field };
        const n = place + 1;
        const isMissing = !isCompleteRule(rulesOf([row])[0]!); // one of them
        return (
          <div
            key={row.id}
            role="group"
            aria-label={t('integrations.filterRule', { n })}
            className="grid gap-2 rounded-card border border-border p-3 sm:grid-cols-[1fr_10rem_1fr_auto] sm:items-start"
          >
            <Combobox
              label={t('integrations.filterField', { name: title })}
              value={named}
              disabled={isLocked}
              onChange={(option) => {
                if (option && option.value !== row.field)
                  change(row.id, { field: option.value, values: [], text: '' });
              }}
              options={fields.map(({ name, label }) => ({ value: name, label }))}
            />
            <Select
              label={t('integrations.filterOperator')}
              value={row.operator}
              disabled={isLocked}
              onChange={(operator) => change(row.id, { operator })}
              options={filterOperators.map((value) => ({
                value,
                label: t(`integrations.filterOperator.${value}`),
              }))}
            />
            {takesValues(row.operator) ? (
              <div className="grid gap-1">
                {field && field.options.length > 0 ? (
                  <MultiSelect
                    label={t('integrations.filterValues')}
                    disabled={isLocked}
                    value={row.values.map(
                      (value) => field.options.find((one) => one.value === value) ?? { value, label: value },
                    )}
                    onChange={(options) => change(row.id, { values: options.map(({ value }) => value) })}
                    options={field.options}
                  />
                ) : (
                  <Input
                    aria-label={t('integrations.filterValues')}
                    value={row.text}
                    disabled={isLocked}
                    autoComplete="off"
                    maxLength={2_000}
                    onChange={({ target: { value: text } }) =>
                      change(row.id, { text, values: readValues(text) })
                    }
                  />
                )}
                <p className="text-sm text-muted">
                  {t(hintOf({ isMissing, isListed: field !== undefined && field.options.length > 0 }))}
                </p>
              </div>
            ) : null}
            {isLocked ? null : (
              <IconButton
                className="sm:col-start-4 sm:row-start-1"
                label={t('integrations.filterRemove', { n })}
                onClick={() => set(rows.filter(({ id }) => id !== row.id))}
              >
                <Trash2 aria-hidden />
              </IconButton>
            )}
          </div>
        );
      })}
      {first && !isLocked && rows.length < filterLimits.rules ? (
        <Button
          className="justify-self-start"
          onClick={() =>
            set([
              ...rows,
              {
                id: Math.max(-1, ...rows.map(({ id }) => id)) + 1,
                // The stage of a customer is what most people ask for.
                field: fields.find(({ name }) => name === 'lifecyclestage')?.name ?? first.name,
                ...{ operator: 'is', values: [], text: '' },
              },
            ])
          }
        >
          <Plus aria-hidden /> {t('integrations.filterAdd')}
        </Button>
      ) : null}
    </div>
  );
}

function hintOf({ isMissing, isListed }: { isMissing: boolean; isListed: boolean }) {
  if (!isMissing) return 'integrations.filterValuesHint';
  return isListed ? 'integrations.filterChoiceNeeded' : 'integrations.filterValueNeeded';
}

/** Values that are separated by commas; each once. */
function readValues(text: string): string[] {
  const values = text.split(',').map((value) => value.trim().slice(0, filterLimits.value));
  return [...new Set(values.filter(Boolean))].slice(0, filterLimits.values);
}
