import type { ChannelTemplateDraft } from './channel-template.ts';

const placeholder = /\{\{\s*(\w+)\s*\}\}/g;

/** What the header's own 1 is called beside a body that counts from 1 too: the platform counts anew in each part. */
export const HEADER_VARIABLE = 'header_1';

export type VariableNaming = {
  format: 'positional' | 'named';
  /** Our name to the channel's. */
  names: ReadonlyMap<string, string>;
};

/** Variable names of a text in order of first appearance, each once. */
export function findVariables(text: string): string[] {
  return [...new Set([...text.matchAll(placeholder)].map((match) => match[1] as string))]; // the group always matches
}

/**
 * Our variable names to the names that the platform allows (`^[a-z][a-z0-9_]*$`, or 1, 2, 3 … throughout).
 * Two of our names never become one: the later one gets a number.
 */
export function nameVariables(draft: ChannelTemplateDraft): VariableNaming {
  const header = draft.header?.format === 'text' ? draft.header.text : '';
  const bodyVariables = findVariables(draft.body);
  const headerVariables = findVariables(header);
  const isHeaderApart = headerVariables.join() === HEADER_VARIABLE && bodyVariables.length > 0;
  const isPositional =
    isCountedFromOne(bodyVariables) && (isHeaderApart || isCountedFromOne(headerVariables));
  const names = new Map<string, string>();
  const taken = new Set<string>();
  for (const variable of [...headerVariables, ...bodyVariables]) {
    if (names.has(variable)) continue;
    const name = !isPositional
      ? freeName(platformName(variable), taken)
      : variable === HEADER_VARIABLE
        ? '1'
        : variable;
    names.set(variable, name);
    taken.add(name);
  }
  return { format: isPositional ? 'positional' : 'named', names };
}

/** The same text with the channel's names for its variables. */
export function renameVariables(text: string, names: ReadonlyMap<string, string>): string {
  return text.replace(placeholder, (_match, variable: string) => `{{${names.get(variable) ?? variable}}}`);
}

/** Positional variables by their number, named ones as they came. */
export function sortVariables(variables: readonly string[], format: VariableNaming['format']): string[] {
  return format === 'named' ? [...variables] : variables.toSorted((a, b) => Number(a) - Number(b));
}

function isCountedFromOne(variables: readonly string[]): boolean {
  const sorted = sortVariables(variables, 'positional');
  return sorted.every((variable, index) => variable === String(index + 1));
}

function platformName(variable: string): string {
  const snake = variable.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase();
  return /^[a-z]/.test(snake) ? snake : `v_${snake}`;
}

function freeName(wanted: string, taken: ReadonlySet<string>): string {
  let name = wanted;
  for (let count = 2; taken.has(name); count += 1) name = `${wanted}_${count}`;
  return name;
}
