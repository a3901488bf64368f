import { mappingDirections, mappingWinners } from '@app/domain/integrations/contact-connector';
import { useQuery } from '@tanstack/react-query';
import { Trash2 } from 'lucide-react';
import { orpc } from '../../shared/api.ts';
import { t } from '../../shared/messages.ts';
import { IconButton } from '../../ui/button.tsx';
import { Select } from '../../ui/controls/select.tsx';
import { Field } from '../../ui/field.tsx';
import type { Integration } from './integrations-queries.ts';
import { FieldsError } from './filter/fields-error.tsx';

type Mapping = Integration['mapping'];

/** The fields that no mapping goes without. */
const FIXED = ['name', 'phone', 'opt_out'];

/** Pairs of fields: each with its direction, as far as there is a choice, and with who wins where both sides changed it. */
export function MappingRows({
  integration: { kind, title, takesContacts },
  mapping,
  onChange,
  isLocked,
}: {
  integration: Pick<Integration, 'kind' | 'title' | 'takesContacts'>;
  mapping: Mapping;
  onChange: (mapping: Mapping) => void;
  isLocked: boolean;
}) {
  const { data, error, refetch } = useQuery(orpc.integrations.listFields.queryOptions({ input: { kind } }));
  const { data: custom } = useQuery(orpc.customFields.list.queryOptions({ input: {} }));
  const theirs = data?.items ?? [];
  const change = (place: number, patch: Partial<Mapping[number]>) =>
    onChange(mapping.map((one, at) => (at === place ? { ...one, ...patch } : one)));
  const ours = [
    ...(['name', 'phone', 'email', 'language'] as const).map((value) => ({
      value: value as string,
      label: t(`integrations.ours.${value}`),
    })),
    { value: 'opt_out', label: t('integrations.ours.optOut') },
    ...(custom?.items ?? []).map(({ key, label }) => ({ value: `custom.${key}`, label })),
  ];
  const labelOf = (name: string) => ours.find(({ value }) => value === name)?.label ?? name;
  const theirOptions = (name: string) => {
    const known = theirs.map((one) => ({ value: one.name, label: one.label }));
    return known.some(({ value }) => value === name) ? known : [{ value: name, label: name }, ...known];
  };
  /** A field that the service does not let us write is only read. */
  const isRead = (name: string) =>
    !takesContacts || theirs.some((one) => one.name === name && one.isReadOnly);
  const free = ours.filter(({ value }) => value !== 'opt_out' && !mapping.some((one) => one.ours === value));
  const unused = theirs
    .filter(({ name }) => !mapping.some((one) => one.theirs === name))
    .toSorted((a, b) => Number(a.isReadOnly) - Number(b.isReadOnly))[0];
  return (
    <div className="mt-3 grid gap-3">
      <p className="text-sm text-muted">
        {t(takesContacts ? 'integrations.mappingText' : 'integrations.mappingTextIn', { name: title })}
      </p>
      {error && !data ? <FieldsError error={error} onRetry={() => void refetch()} /> : null}
      {mapping.map((one, place) => {
        const isFixed = FIXED.includes(one.ours);
        const isConsent = one.ours === 'opt_out';
        return (
          <div
            key={one.ours}
            className="grid gap-2 rounded-card border border-border p-3 sm:grid-cols-[1fr_1fr_1fr_1fr_auto]"
          >
            <span className="self-center font-medium wrap-anywhere">{labelOf(one.ours)}</span>
            <Select
              label={t('integrations.theirsOf', { field: labelOf(one.ours), name: title })}
              value={one.theirs}
              disabled={isLocked || isFixed}
              onChange={(value) =>
                change(place, { theirs: value, ...(isRead(value) && { direction: 'in' as const }) })
              }
              options={theirOptions(one.theirs)}
            />
            {isRead(one.theirs) ? null : (
              <Select
                label={t('integrations.directionOf', { field: labelOf(one.ours) })}
                value={one.direction}
                disabled={isLocked || isConsent}
                onChange={(value) => change(place, { direction: value })}
                options={mappingDirections.map((value) => ({
                  value,
                  label: t(`integrations.direction.${value}`),
                }))}
              />
            )}
            <Select
              label={t('integrations.winsOf', { field: labelOf(one.ours) })}
              value={one.wins}
              disabled={isLocked || isConsent}
              onChange={(value) => change(place, { wins: value })}
              options={mappingWinners.map((value) => ({
                value,
                label: t(`integrations.wins.${value}`, { name: title }),
              }))}
            />
            {isFixed || isLocked ? null : (
              <IconButton
                className="sm:col-start-5"
                label={t('integrations.removeField', { field: labelOf(one.ours) })}
                onClick={() => onChange(mapping.filter((_, at) => at !== place))}
              >
                <Trash2 aria-hidden />
              </IconButton>
            )}
          </div>
        );
      })}
      {free.length > 0 && unused && !isLocked ? (
        <Field label={t('integrations.addField')}>
          <Select
            value={null}
            placeholder={t('integrations.chooseField')}
            onChange={(value) =>
              onChange([
                ...mapping,
                {
                  ...{ ours: value, theirs: unused.name, wins: 'newest' },
                  direction: isRead(unused.name) ? 'in' : 'both',
                },
              ])
            }
            options={free}
          />
        </Field>
      ) : null}
    </div>
  );
}
