import type { RemoteField } from '@app/domain/integrations/contact-connector';
import { recordOf, textOf } from './json-values.ts';

/** More than a list to choose from has; a field with more is written. */
const MOST = 300;

/** The values of a field with a fixed list: `{value, label}` of each that is in use. */
export function readOptions(listed: unknown): Pick<RemoteField, 'options'> {
  const options = (Array.isArray(listed) ? listed : []).flatMap((raw) => {
    const { value, label, hidden, active } = recordOf(raw);
    const key = textOf(value);
    if (key === null || hidden === true || active === false) return [];
    return [{ value: key, label: textOf(label) ?? key }];
  });
  return options.length > 0 && options.length <= MOST ? { options } : {};
}
