import type { MessageContent } from '../messaging/message-content.ts';

/** A campaign's message as frozen at its start: content with `{{word}}` placeholders and what fills them. */
export type RunMessage = {
  content: MessageContent;
  /** By placeholder name. Names that are missing here and are not contact fields stay as written. */
  variables: Readonly<Record<string, RunVariable>>;
  businessName: string;
};

export type RunVariable = { field: ContactField } | { text: string };

export type ContactField = 'name' | 'phone' | 'email' | 'business';

export type RecipientFacts = { name: string; phone: string; email: string | null };

const placeholder = /\{\{\s*(\w+)\s*\}\}/g;

/**
 * Prepares a message once, to be filled for many people. Only `{{word}}` is replaced, once: a value that looks like a
 * placeholder stays as it is.
 */
export function compileRunMessage(message: RunMessage): (person: RecipientFacts) => MessageContent {
  const fill = compilePart(message.content, message);
  return fill === null ? () => message.content : (person) => fill(person) as MessageContent;
}

type Fill = (person: RecipientFacts) => unknown;

/** Null when the part holds no placeholder and can be shared by everyone. */
function compilePart(part: unknown, message: RunMessage): Fill | null {
  if (typeof part === 'string') return compileText(part, message);
  if (Array.isArray(part)) {
    const fills = part.map((item) => compilePart(item, message));
    if (fills.every((fill) => fill === null)) return null;
    return (person) => part.map((item, index) => fills[index]?.(person) ?? item);
  }
  if (typeof part !== 'object' || part === null) return null;
  const fills = Object.entries(part)
    .map(([key, value]) => [key, compilePart(value, message)] as const)
    .filter((entry): entry is readonly [string, Fill] => entry[1] !== null);
  if (fills.length === 0) return null;
  return (person) => {
    const filled: Record<string, unknown> = { ...part };
    for (const [key, fill] of fills) filled[key] = fill(person);
    return filled;
  };
}

function compileText(text: string, message: RunMessage): Fill | null {
  if (!text.includes('{{')) return null;
  return (person) => text.replace(placeholder, (raw, name: string) => valueOf(name, raw, message, person));
}

function valueOf(name: string, raw: string, message: RunMessage, person: RecipientFacts): string {
  const variable = Object.hasOwn(message.variables, name) ? message.variables[name] : undefined;
  if (variable && 'text' in variable) return variable.text === '' ? raw : variable.text;
  switch (variable?.field ?? name) {
    case 'name':
      return person.name.trim() || person.phone;
    case 'phone':
      return person.phone;
    case 'email':
      return person.email || raw;
    case 'business':
      return message.businessName || raw;
    default:
      return raw;
  }
}
