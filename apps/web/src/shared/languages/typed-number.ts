import { activeLocale } from '../messages.ts';

/** A number as the product stores it, 1234.5, as people of the language write it: 1234,5. */
export function showNumber(plain: string): string {
  return /^[+-]?\d*\.\d*$/.test(plain) ? plain.replace('.', signs().decimal) : plain;
}

/** What people of the language write, 1.234,5 or 1 234,5, as the product stores it; anything else as it was typed. */
export function readTypedNumber(typed: string): string {
  const { decimal, group } = signs();
  const text = typed.replaceAll(/[\s'’]/g, '');
  const grouped = new RegExp(`^[+-]?\\d{1,3}(?:\\${group}\\d{3})+(?:\\${decimal}\\d*)?$`);
  const ungrouped = grouped.test(text) ? text.replaceAll(group, '') : text;
  return /^[+-]?\d*[.,]?\d*$/.test(ungrouped) ? ungrouped.replace(decimal, '.') : typed.trim();
}

function signs(): { decimal: string; group: string } {
  const decimal = new Intl.NumberFormat(activeLocale()).format(1.5)[1] ?? '.';
  // Spaces, which some languages group with, are dropped anyway; people there also write dots.
  return { decimal, group: decimal === ',' ? '.' : ',' };
}
