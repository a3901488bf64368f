import { compileMessageOrThrow } from '@lingui/message-utils/compileMessage';

type Token = string | [name: string, type?: string, cases?: Record<string, Token[] | number> | string];

/** What a message promises: what stands in all of its sentences, how each value is written, and its choices. */
export type MessageForm = {
  /** How the values are written: `n number`, `name text`, `kind select opt_in other`. */
  values: Set<string>;
  /** Values that stand in each sentence that the message can become. */
  everywhere: Set<string>;
  plurals: { value: string; cases: string[]; saysNumber: boolean }[];
};

/** Reads a message by its structure, never as text. @throws when it is none. */
export function readForm(text: string): MessageForm {
  const form: MessageForm = { values: new Set(), everywhere: new Set(), plurals: [] };
  // The compiler's own type says no more than that it is a list.
  form.everywhere = readTokens(compileMessageOrThrow(text) as Token[], form);
  return form;
}

function readTokens(tokens: readonly Token[], form: MessageForm): Set<string> {
  const standing = new Set<string>();
  for (const token of tokens) {
    if (typeof token === 'string') continue;
    const [value, type = 'text', cases] = token;
    standing.add(value);
    if (typeof cases !== 'object') {
      form.values.add(`${value} ${type}`);
      continue;
    }
    const branches = Object.entries(cases).filter(
      (branch): branch is [string, Token[]] => branch[0] !== 'offset' && Array.isArray(branch[1]),
    );
    if (type === 'select')
      form.values.add(
        `${value} select ${branches
          .map(([key]) => key)
          .toSorted()
          .join(' ')}`,
      );
    else {
      // A number is a number, whether its noun bends or not.
      form.values.add(`${value} number`);
      const other = branches.find(([key]) => key === 'other')?.[1] ?? [];
      form.plurals.push({ value, cases: branches.map(([key]) => key), saysNumber: other.includes('#') });
    }
    const inBranches = branches.map(([, inside]) => readTokens(inside, form));
    const [first = new Set<string>(), ...others] = inBranches;
    for (const name of first) if (others.every((names) => names.has(name))) standing.add(name);
  }
  return standing;
}
