import { isUuid } from '../uuid.ts';

/** What the list of contacts can show beside the name, in the order in which it is offered. */
export const listColumns = [
  'phone',
  'email',
  'language',
  'tags',
  'status',
  'lastMessage',
  'createdAt',
  'optedOutAt',
] as const;
export type ListColumn = (typeof listColumns)[number];

/** A column of the product, or a custom field by its id: `field:…`. */
export type ChosenColumn = ListColumn | `field:${string}`;

export const listDensities = ['comfortable', 'compact'] as const;
export type ListDensity = (typeof listDensities)[number];

export const layoutLimits = { columns: 60 } as const;

/** How somebody wants the list: its columns behind the name in their order, and how close the rows stand. */
export type ListLayout = { columns: readonly ChosenColumn[]; density: ListDensity };

export const defaultLayout: ListLayout = {
  columns: ['phone', 'email', 'tags', 'status', 'lastMessage'],
  density: 'comfortable',
};

const FIELD = 'field:';

export function fieldColumn(fieldId: string): ChosenColumn {
  return `${FIELD}${fieldId}`;
}

/** The id of the custom field that the column shows; null for a column of the product. */
export function fieldOfColumn(column: string): string | null {
  const id = column.slice(FIELD.length).toLowerCase();
  return column.startsWith(FIELD) && isUuid(id) ? id : null;
}

export function isColumn(word: string): word is ChosenColumn {
  return listColumns.some((column) => column === word) || fieldOfColumn(word) !== null;
}

/** Stored is what was chosen; what this version does not know is left out. */
export function readLayout(stored: Record<string, unknown>): ListLayout {
  const { columns, density } = stored;
  return {
    columns: Array.isArray(columns)
      ? [...new Set(columns.filter((word) => typeof word === 'string').filter(isColumn))]
      : defaultLayout.columns,
    density: listDensities.find((known) => known === density) ?? defaultLayout.density,
  };
}

/** The columns with one of them moved to another place. */
export function moveColumn<Column extends string>(
  columns: readonly Column[],
  from: number,
  to: number,
): Column[] {
  const moved = columns[from];
  if (moved === undefined) return [...columns];
  const others = columns.filter((_, index) => index !== from);
  const place = Math.max(0, Math.min(others.length, to));
  return [...others.slice(0, place), moved, ...others.slice(place)];
}
