import { eq, getTableColumns, type SQL } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';

type Values<Table extends PgTable> = {
  [Name in keyof Table['$inferSelect']]?: Table['$inferSelect'][Name] | undefined;
};

/** A condition for each value that is given: the column of its name holds it. A name that is no column does not compile. */
export function equals<Table extends PgTable, Given extends Values<Table>>(
  table: Table,
  values: Given & Record<Exclude<keyof Given, keyof Values<Table>>, never>,
): SQL[] {
  return Object.entries(getTableColumns(table)).flatMap(([name, column]) => {
    const value = (values as Record<string, unknown>)[name]; // of the names of columns
    return value === undefined ? [] : [eq(column, value)];
  });
}
