import { SalesforceError } from './salesforce-account.ts';

export type SoqlRow = Readonly<Record<string, string | number | boolean | null>>;
export type Soql = {
  columns: readonly string[];
  from: string;
  /** Every field that the query names. */
  named: readonly string[];
  matches(row: SoqlRow): boolean;
  order: readonly { field: string; isDescending: boolean }[];
  limit: number;
};

const TOKEN =
  /\s*(?:('(?:[^'\\]|\\.)*')|(\d{4}-\d\d-\d\d(?:T\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d))?)|(-?\d+(?:\.\d+)?)|([A-Za-z_]\w*(?:\.\w+)*)|(<=|>=|!=|[(),=<>]))/y;

type Token = { kind: 'text' | 'time' | 'number' | 'word' | 'sign'; text: string };

function malformed(at: string): SalesforceError {
  return new SalesforceError('MALFORMED_QUERY', `unexpected token: '${at}'`);
}

function tokensOf(query: string): Token[] {
  const tokens: Token[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < query.trimEnd().length) {
    const at = TOKEN.lastIndex;
    const found = TOKEN.exec(query);
    if (!found) throw malformed(query.slice(at, at + 20).trim());
    const kinds = ['text', 'time', 'number', 'word', 'sign'] as const;
    const place = kinds.findIndex((_, index) => found[index + 1] !== undefined);
    tokens.push({ kind: kinds[place]!, text: found[place + 1]! }); // one of the five matched
  }
  return tokens;
}

/** The part of SOQL that connectors use: one object, conditions with brackets, an order and a limit. */
export function parseSoql(query: string): Soql {
  const tokens = tokensOf(query);
  const named: string[] = [];
  let place = 0;
  const peek = () => tokens[place]?.text.toUpperCase() ?? '';
  const take = (wanted?: string): Token => {
    const token = tokens[place];
    if (!token || (wanted !== undefined && token.text.toUpperCase() !== wanted))
      throw malformed(token?.text ?? '<EOF>');
    place += 1;
    return token;
  };
  const name = () => {
    const token = take();
    if (token.kind !== 'word') throw malformed(token.text);
    named.push(token.text);
    return token.text;
  };
  const literal = () => {
    const { kind, text } = take();
    if (kind === 'text') return text.slice(1, -1).replace(/\\(.)/g, '$1');
    if (kind === 'time')
      return text.length > 10 ? Date.parse(text.replace(/([+-]\d\d)(\d\d)$/, '$1:$2')) : text;
    if (kind === 'number') return Number(text);
    const word = text.toUpperCase();
    if (word === 'TRUE' || word === 'FALSE') return word === 'TRUE';
    if (word === 'NULL') return null;
    throw malformed(text);
  };
  type Condition = (row: SoqlRow) => boolean;
  const compare = (): Condition => {
    if (peek() === '(') {
      take('(');
      const inner = anyOf();
      take(')');
      return inner;
    }
    const field = name();
    const sign = take().text.toUpperCase();
    if (sign === 'IN') {
      take('(');
      const values = [literal()];
      while (peek() === ',') {
        take(',');
        values.push(literal());
      }
      take(')');
      return (row) => values.some((value) => isSame(row[field], value));
    }
    const value = literal();
    switch (sign) {
      case '=':
        return (row) => isSame(row[field], value);
      case '!=':
        return (row) => !isSame(row[field], value);
      case 'LIKE': {
        const pattern = new RegExp(
          `^${String(value)
            .replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
            .replaceAll('%', '.*')
            .replaceAll('_', '.')}$`,
          'i',
        );
        return (row) => pattern.test(String(row[field] ?? ''));
      }
      case '>':
        return (row) => order(row[field], value) > 0;
      case '>=':
        return (row) => order(row[field], value) >= 0;
      case '<':
        return (row) => order(row[field], value) < 0;
      case '<=':
        return (row) => order(row[field], value) <= 0;
      default:
        throw malformed(sign);
    }
  };
  const allOf = (): Condition => {
    const parts = [compare()];
    while (peek() === 'AND') {
      take('AND');
      parts.push(compare());
    }
    return (row) => parts.every((part) => part(row));
  };
  function anyOf(): Condition {
    const parts = [allOf()];
    while (peek() === 'OR') {
      take('OR');
      parts.push(allOf());
    }
    return (row) => parts.some((part) => part(row));
  }

  take('SELECT');
  const columns = [name()];
  while (peek() === ',') {
    take(',');
    columns.push(name());
  }
  take('FROM');
  const from = take().text;
  let matches: Condition = () => true;
  if (peek() === 'WHERE') {
    take('WHERE');
    matches = anyOf();
  }
  const sorts: { field: string; isDescending: boolean }[] = [];
  if (peek() === 'ORDER') {
    take('ORDER');
    take('BY');
    for (;;) {
      const field = name();
      const isDescending = peek() === 'DESC';
      if (isDescending || peek() === 'ASC') take();
      sorts.push({ field, isDescending });
      if (peek() !== ',') break;
      take(',');
    }
  }
  let limit = Number.POSITIVE_INFINITY;
  if (peek() === 'LIMIT') {
    take('LIMIT');
    limit = Number(take().text);
  }
  if (place < tokens.length) throw malformed(tokens[place]!.text); // there is one
  return { columns, from, named, matches, order: sorts, limit };
}

/** The rows of a query, in its order. */
export function selectRows(rows: readonly SoqlRow[], { matches, order: sorts, limit }: Soql): SoqlRow[] {
  const sorted = rows.filter(matches).toSorted((one, other) => {
    for (const { field, isDescending } of sorts) {
      const by = order(one[field], comparable(other[field]));
      if (by !== 0) return isDescending ? -by : by;
    }
    return 0;
  });
  return sorted.slice(0, limit);
}

type Value = SoqlRow[string] | undefined;

/** Times are compared as times. */
function comparable(value: Value): string | number | boolean | null {
  if (typeof value === 'string' && /^\d{4}-\d\d-\d\dT.*\+0000$/.test(value))
    return Date.parse(value.replace('+0000', 'Z'));
  return value ?? null;
}

function isSame(value: Value, wanted: string | number | boolean | null): boolean {
  const own = comparable(value);
  if (typeof own === 'string' && typeof wanted === 'string')
    return own.toLowerCase() === wanted.toLowerCase();
  return own === wanted;
}

function order(value: Value, wanted: string | number | boolean | null): number {
  const own = comparable(value);
  if (own === null || wanted === null) return Number.NaN;
  if (own === wanted) return 0;
  return own < wanted ? -1 : 1;
}
