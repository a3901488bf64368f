import { useQuery } from '@tanstack/react-query';
import type { CustomFieldType, CustomValue } from '@app/domain/custom-fields/custom-field';
import { orpc, type api } from '../api.ts';
import { formatDay, formatExact } from '../formats.ts';
import { t } from '../messages.ts';
import { can } from '../session.ts';

export type CustomField = Awaited<ReturnType<typeof api.customFields.list>>['items'][number];

/** Who may change what every contact has. */
export const mayManageFields = () => can('contacts:update') && can('templates:update');

export const customFieldsOptions = orpc.customFields.list.queryOptions({ input: {} });

/** The custom fields of contacts in their order; undefined until they are known. */
export function useCustomFields(): readonly CustomField[] | undefined {
  return useQuery({ ...customFieldsOptions, enabled: can('contacts:read') }).data?.items;
}

/** A value as people read it. */
export function customValueText(type: CustomFieldType, value: CustomValue): string {
  if (typeof value === 'boolean') return value ? t('common.yes') : t('common.no');
  if (typeof value === 'number') return formatExact(value);
  return type === 'date' ? formatDay(value) : value;
}
