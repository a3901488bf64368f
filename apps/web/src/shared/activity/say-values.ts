import { roles, type Role } from '@app/domain/auth/permissions';
import type { api } from '../api.ts';
import { activeLocale, t, type MessageValues } from '../messages.ts';

type Said = NonNullable<Awaited<ReturnType<typeof api.activity.list>>['items'][number]['fact']>;
type Value = Said['values'][string];

/** Values as they stand in a sentence: a role is said as everywhere else. */
export function sayValues(type: Said['type'], values: Said['values']): MessageValues {
  const said = Object.entries(values).map(([name, value]) => [name, sayValue(type, name, value)] as const);
  return Object.fromEntries(said);
}

function sayValue(type: Said['type'], name: string, value: Value): string | number {
  if (Array.isArray(value)) return names().format(value.map((item) => String(sayValue(type, name, item))));
  if (value === null) return t('activity.fact.erased');
  if (isRole(type, name, value)) return t(`common.role.${value}`);
  return typeof value === 'boolean' ? String(value) : value;
}

const ROLE_VALUES = ['role', 'from', 'to', 'roles'];

/** One of the workspace; for that in a team, its sentence chooses the word. */
function isRole(type: Said['type'], name: string, value: Value): value is Role {
  return (
    type !== 'team.member_role_changed' && ROLE_VALUES.includes(name) && roles.some((role) => role === value)
  );
}

const names = () => new Intl.ListFormat(activeLocale(), { type: 'unit' });
