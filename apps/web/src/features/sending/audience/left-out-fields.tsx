import { useQuery } from '@tanstack/react-query';
import { mostRestDays } from '@app/domain/delivery/audience';
import { Field } from '../../../ui/field.tsx';
import { MultiSelect } from '../../../ui/controls/combobox.tsx';
import { Select, type SelectOption } from '../../../ui/controls/select.tsx';
import { orpc } from '../../../shared/api.ts';
import { t } from '../../../shared/messages.ts';
import type { AudienceSelection, ChosenExcept } from './audience-selection.ts';
import { describeFilter } from './audience-words.ts';
import { useSegments } from './segment-queries.ts';

const offeredDays = [1, 2, 3, 7, 14, 30, 90, mostRestDays];
const ANY_TIME = 'any';

/** Whom a choice leaves out: people of tags and segments, and those who got a campaign a short time ago. */
export function LeftOutFields({
  selection,
  onChange,
}: {
  selection: AudienceSelection;
  onChange: (selection: AudienceSelection) => void;
}) {
  const { except, restDays } = selection;
  const offered = useOffered();
  const all = [...new Set([...offeredDays, ...(restDays === null ? [] : [restDays])])];
  return (
    <div className="grid grid-cols-1 gap-3 sm:grid-cols-2">
      <Field label={t('sending.leftOut.except')}>
        <MultiSelect
          value={except.map(toOption)}
          options={offered.map(toOption)}
          placeholder={t('sending.leftOut.choose')}
          emptyText={t('sending.leftOut.noneFound')}
          onChange={(options) =>
            onChange({
              ...selection,
              except: options.flatMap(
                ({ value }) => [...except, ...offered].find((filter) => keyOf(filter) === value) ?? [],
              ),
            })
          }
        />
      </Field>
      <Field label={t('sending.leftOut.rest')}>
        <Select
          value={restDays === null ? ANY_TIME : String(restDays)}
          options={[
            { value: ANY_TIME, label: t('sending.leftOut.anyTime') },
            ...all
              .toSorted((a, b) => a - b)
              .map((days) => ({ value: String(days), label: t('sending.leftOut.days', { n: days }) })),
          ]}
          onChange={(value) =>
            onChange({ ...selection, restDays: value === ANY_TIME ? null : Number(value) })
          }
        />
      </Field>
    </div>
  );
}

function useOffered(): ChosenExcept[] {
  const tags = useQuery(orpc.contacts.listTags.queryOptions({ input: {} })).data?.items ?? [];
  const segments = useSegments().data?.items ?? [];
  return [
    ...tags.map(({ tag }) => ({ tags: [tag] })),
    ...segments.map(({ id, name }) => ({ segmentId: id, name })),
  ];
}

function toOption(filter: ChosenExcept): SelectOption {
  return { value: keyOf(filter), label: describeFilter(filter) };
}

function keyOf(filter: ChosenExcept): string {
  return filter.segmentId === undefined ? `tag:${filter.tags.join('\n')}` : `segment:${filter.segmentId}`;
}
