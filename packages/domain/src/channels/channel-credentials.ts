/** What opens a channel, by the names of its kind's form, secrets in plain text: never stored or logged like this. */
export type Credentials = Readonly<Record<string, string>>;

/** What people fill in to connect a channel of one kind. */
export type CredentialForm = {
  /** Goes up when the meaning of the fields changes; rows say under which one they were written. */
  version: number;
  fields: readonly CredentialField[];
  /** What the platform calls this number or agent; unique among those of its kind in a workspace. */
  addressOf(credentials: Credentials): string;
  /** Where the calls go: tells a stand-in from the real platform. */
  serverOf(credentials: Credentials): string;
};

export type CredentialField = {
  name: string;
  /** Key of its words in the catalogues. */
  label: string;
  /** Sealed where it is stored, and never shown again. */
  isSecret: boolean;
  format: 'text' | 'digits' | 'url' | 'choice';
  /** Of a choice: what may be chosen, the usual one first. */
  choices?: readonly string[];
  /** What the form holds before anybody writes. */
  suggestion?: string;
};

export type CredentialProblem = {
  field: string;
  problem: 'missing' | 'too_long' | 'not_digits' | 'not_url' | 'not_known';
};

/** A key file of a service account is the longest that any of them takes. */
const LONGEST = 10_000;

/** What is wrong with what people wrote: nothing, or one problem for each field. What the form does not know is left out. */
export function readCredentials(
  { fields }: Pick<CredentialForm, 'fields'>,
  written: Readonly<Record<string, unknown>>,
): { credentials: Credentials; problems: CredentialProblem[] } {
  const credentials: Record<string, string> = {};
  const problems: CredentialProblem[] = [];
  for (const field of fields) {
    const value = Object.hasOwn(written, field.name) ? written[field.name] : undefined;
    const text = typeof value === 'string' ? value.trim() : '';
    const problem = problemOf(field, text);
    if (problem) problems.push({ field: field.name, problem });
    else credentials[field.name] = text;
  }
  return { credentials, problems };
}

function problemOf(
  { format, choices = [] }: CredentialField,
  text: string,
): CredentialProblem['problem'] | null {
  if (text === '') return 'missing';
  if (text.length > LONGEST) return 'too_long';
  if (format === 'choice' && !choices.includes(text)) return 'not_known';
  if (format === 'digits' && !/^\d+$/.test(text)) return 'not_digits';
  return format === 'url' && !/^https?:\/\/[^\s/]+/.test(text) ? 'not_url' : null;
}
