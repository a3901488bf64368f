import { readCustomValue, type CustomFieldType } from './custom-field.ts';
import { dayOrders } from './day.ts';

/** Of what kind the values of a column look, and can be read; people still choose. */
export function guessFieldType(values: readonly string[]): CustomFieldType {
  if (values.length === 0) return 'text';
  const areAll = (type: CustomFieldType, order?: (typeof dayOrders)[number]) =>
    values.every((value) => 'value' in readCustomValue({ type, options: [] }, value, order));
  if (dayOrders.some((order) => areAll('date', order))) return 'date';
  // Numbers of customers and telephones begin with zeros or a plus, or are long, and nobody reckons with them.
  const lookLikeAmounts = values.every(
    (value) => !/^\+|^-?0\d|\de/i.test(value) && value.length <= MOST_CHARACTERS,
  );
  return lookLikeAmounts && areAll('number') ? 'number' : 'text';
}

const MOST_CHARACTERS = 20;
