/** How a value of the service is compared. */
export const filterOperators = ['is', 'is_not', 'is_set', 'is_empty'] as const;
export type FilterOperator = (typeof filterOperators)[number];

/** One rule about a field of the service. `values` is empty for `is_set` and `is_empty`. */
export type FilterRule = { field: string; operator: FilterOperator; values: readonly string[] };

export const filterLimits = { rules: 5, values: 50, value: 200 } as const;

/** Whether a rule compares with values. */
export const takesValues = (operator: FilterOperator): boolean => operator === 'is' || operator === 'is_not';

/** Whether a rule says enough to be applied. */
export function isCompleteRule({ operator, values }: FilterRule): boolean {
  return takesValues(operator) ? values.some((value) => value.trim() !== '') : values.length === 0;
}

/**
 * Whether a record meets every rule. `values` are those of the service, by its names; one that is absent is empty. Letter case does not count.
 * A field with several values, which services separate by `;` or `,`, has a value if one of them is equal.
 */
export function passesFilter(
  rules: readonly FilterRule[],
  values: Readonly<Record<string, string | null | undefined>>,
): boolean {
  return rules.every(({ field, operator, values: wanted }) => {
    const text = comparable(values[field] ?? '');
    if (operator === 'is_set') return text !== '';
    if (operator === 'is_empty') return text === '';
    const there = new Set([text, ...text.split(/[;,]/).map((part) => part.trim())]);
    const isOne = text !== '' && wanted.some((value) => there.has(comparable(value)));
    return isOne === (operator === 'is');
  });
}

const comparable = (text: string): string => text.trim().toLowerCase();
