import type { CampaignVariables } from '@app/database/campaigns/campaigns-tables';
import { chosenContactsSql, mayReceiveSql } from '@app/delivery/audience-sql';
import { knowAudience } from '@app/delivery/known-audience';
import { findMissingPermission } from '@app/domain/auth/caller';
import type { ChannelCapabilities } from '@app/domain/channels/channel-capabilities';
import { customFieldLimits } from '@app/domain/custom-fields/custom-field';
import type { Audience, MessageCategory } from '@app/domain/delivery/audience';
import { chooseLanguage } from '@app/domain/delivery/choose-language';
import { fillPlaceholders, hasOwnValue, type RecipientFacts } from '@app/domain/delivery/run-message';
import { cleanParameterText } from '@app/domain/messaging/template-filling';
import { platformLanguage } from '@app/domain/templates/platform-name';
import { bodyTextOf, findComponent } from '@app/domain/templates/template';
import { extractVariables, renderText } from '@app/domain/templates/template-rendering';
import { templateLimits } from '@app/domain/templates/template-rules';
import { isUuid } from '@app/domain/uuid';
import type { ReadScope } from '../platform/workspace-scope.ts';
import { findMessage, type ChosenMessage, type MessageChoice } from './choose-message.ts';
import { languagesOf, type StoredTemplate } from './message-languages.ts';
import { placeholdersOf, placeholdersOfContent, resolveVariables } from './message-variables.ts';

/** So many contacts are looked at one by one; of more the database says how many they are. */
const LOOKED_AT = 1_000;
const NAMED = 5;
/** Longest values in characters, twice: one sign can count as two. */
const LONGEST = { name: 400, email: 640, phone: 20, custom: 2 * customFieldLimits.text };

/** Contacts whose own values keep the message from them: of whom a placeholder has no value, or whose text is too long with them. */
export type ValueProblem = {
  kind: 'missing' | 'too_long';
  /** The placeholder without a value. */
  placeholder: string | null;
  count: number;
  /** The first of them, for who may see contacts. */
  people: { contactId: string; name: string }[];
};

type Asked = {
  variables: CampaignVariables;
  businessName: string;
  rules: ChannelCapabilities | null;
  audience: Audience;
  category: MessageCategory;
  channelId: string | null;
};
type Version = {
  language: string | null;
  names: readonly string[];
  parts: readonly { text: string; longest: number }[];
};
type PersonRow = RecipientFacts & { id: string };

/** The names of the placeholders for which nobody can have a value, as the message and its variables stand. */
export function findUnfilled(message: ChosenMessage, variables: CampaignVariables): string[] {
  return placeholdersOf(message).filter((name) => !hasOwnValue(name, variables));
}

/** For the refusal of a message: the first placeholder that nobody can have a value for. */
export async function nameUnfilled(
  scope: ReadScope,
  { message: choice, variables: wanted }: { message: MessageChoice | null; variables: CampaignVariables },
) {
  const message = choice && (await findMessage(scope, choice));
  const variables = message && (await resolveVariables(scope, message, wanted));
  const [placeholder = ''] =
    variables && variables !== 'custom_field_unknown' ? findUnfilled(message, variables) : [];
  return { data: { values: { placeholder } } };
}

/** Whose values are a problem among those who would get the message now. Most messages can have none, and nobody is looked at. */
export async function findValueProblems(
  scope: ReadScope,
  message: ChosenMessage,
  { variables, businessName, rules, audience: named, category, channelId }: Asked,
): Promise<ValueProblem[]> {
  const versions = versionsOf(message, rules);
  const names = [...new Set(versions.flatMap((version) => version.names))];
  const values: unknown[] = [];
  const audience = await knowAudience(scope, scope.workspaceId, named);
  const of = `FROM contacts c WHERE ${chosenContactsSql(scope.workspaceId, audience, values)} AND ${mayReceiveSql({ category, channelId }, values)}`;
  const placeholders = names.map((name) => describe(name, variables, businessName));
  const missing = placeholders.filter(({ isMissing }) => isMissing !== null);
  const long = versions.flatMap(({ parts }) => parts.flatMap((part) => tooLongSql(part, placeholders) ?? []));
  if (missing.length + long.length === 0) return [];
  const isMissing = missing.map((one) => `(${one.isMissing})`);
  const isLong = long.length === 0 ? 'false' : long.map((sql) => `(${sql})`).join(' OR ');
  const isAny = [...isMissing, isLong].join(' OR ');
  const { rows } = await scope.query<PersonRow>(
    `SELECT c.id, c.name, c.phone, c.email, c.language, c.custom_values AS "customValues" ${of} AND (${isAny}) ORDER BY c.id LIMIT ${LOOKED_AT + 1}`,
    values,
  );
  const isTemplate = message.kind === 'template';
  const found = new Map<string, ValueProblem>();
  const add = (kind: ValueProblem['kind'], placeholder: string | null, { id, name, phone }: PersonRow) => {
    const key = `${kind} ${placeholder}`;
    const problem = found.get(key) ?? { kind, placeholder, count: 0, people: [] };
    found.set(key, problem);
    problem.count += 1;
    if (problem.people.length < NAMED) problem.people.push({ contactId: id, name: name.trim() || phone });
  };
  for (const person of rows) {
    const version = versionFor(versions, person);
    const content = { type: 'text', body: '' } as const;
    const sent = {
      content,
      variables,
      businessName,
      ...(version.language !== null && { language: version.language }),
    };
    const filled = fillPlaceholders(sent, version.names, person);
    const gone = version.names.find((name) => filled[name]?.from === 'nothing');
    if (gone !== undefined) {
      add('missing', gone, person);
      continue;
    }
    const texts = Object.fromEntries(
      Object.entries(filled).map(([name, { text }]) => [name, isTemplate ? cleanParameterText(text) : text]),
    );
    if (version.parts.some(({ text, longest }) => renderText(text, texts).length > longest))
      add('too_long', null, person);
  }
  // In an order that does not depend on who comes first.
  const placeOf = ({ placeholder }: ValueProblem) =>
    placeholder === null ? names.length : names.indexOf(placeholder);
  const problems = [...found.values()].toSorted((one, other) => placeOf(one) - placeOf(other));
  if (rows.length > LOOKED_AT)
    await countAll(scope, problems, { of, values, placeholders, isMissing, isLong });
  const maySee = !findMissingPermission(scope.caller, ['contacts:read']);
  return maySee ? problems : problems.map((problem) => ({ ...problem, people: [] }));
}

/** Of very many: each is counted once, under the first placeholder that has no value. */
async function countAll(
  scope: ReadScope,
  problems: ValueProblem[],
  {
    of,
    values,
    placeholders,
    isMissing,
    isLong,
  }: {
    of: string;
    values: unknown[];
    placeholders: readonly Described[];
    isMissing: readonly string[];
    isLong: string;
  },
): Promise<void> {
  const names = placeholders.flatMap((one) => (one.isMissing === null ? [] : [one.name]));
  const before = (place: number) =>
    isMissing
      .slice(0, place)
      .map((sql) => ` AND (${sql}) IS NOT TRUE`)
      .join('');
  const counts = isMissing.map(
    (sql, place) => `count(*) FILTER (WHERE ${sql}${before(place)})::integer AS m${place}`,
  );
  counts.push(`count(*) FILTER (WHERE (${isLong})${before(isMissing.length)})::integer AS long`);
  const { rows } = await scope.query<Record<string, number>>(`SELECT ${counts.join(', ')} ${of}`, values);
  const countOf = ({ kind, placeholder }: ValueProblem) =>
    rows[0]?.[kind === 'too_long' ? 'long' : `m${names.indexOf(placeholder ?? '')}`];
  for (const problem of problems) problem.count = Math.max(problem.count, countOf(problem) ?? 0);
}

function versionFor(versions: readonly Version[], { language }: PersonRow): Version {
  const [main] = versions;
  if (!main) throw new Error('A message has at least one version.');
  if (main.language === null || versions.length === 1) return main;
  const codes = versions.slice(1).flatMap((version) => version.language ?? []);
  const code = chooseLanguage(language, main.language, codes);
  return versions.find((version) => version.language === code) ?? main;
}

function versionsOf(message: ChosenMessage, rules: ChannelCapabilities | null): Version[] {
  if (message.kind === 'missing') return [];
  if (message.kind === 'text') {
    const { text } = message;
    const parts = rules?.text ? [{ text, longest: rules.text.longest }] : [];
    return [{ language: null, names: placeholdersOf(message), parts }];
  }
  // Its content type knows the lengths.
  if (message.kind === 'content') {
    const { content, inLanguages = {}, stored } = message;
    return [
      { language: stored?.language ?? null, names: placeholdersOfContent(content), parts: [] },
      ...Object.entries(inLanguages).map(([language, one]) => ({
        ...{ language, names: placeholdersOfContent(one), parts: [] },
      })),
    ];
  }
  const others = languagesOf(message, rules).chosen.map(({ template }) => template);
  return [message.template, ...others].map((template) => ({
    language: platformLanguage(template.language),
    names: placeholdersOf({ ...message, template }),
    // Elsewhere a template is a message of its own, whose lengths its channel knows.
    parts: rules?.templates === 'reviewed' ? partsOf(template) : [],
  }));
}

function partsOf({ components }: StoredTemplate) {
  const header = findComponent(components, 'header');
  return [
    { text: bodyTextOf(components), longest: templateLimits.bodyText },
    ...(header?.format === 'text' ? [{ text: header.text, longest: templateLimits.headerText }] : []),
  ];
}

type Described = {
  name: string;
  /** A condition; null where everybody has a value. */
  isMissing: string | null;
  /** Bytes of the value, which are at least as many as its signs. */
  length: string;
  longest: number;
};

/** What fills a placeholder, for the database: `custom_values` by their ids, fields of the contact, or one text. */
function describe(name: string, variables: CampaignVariables, businessName: string): Described {
  const variable = Object.hasOwn(variables, name) ? variables[name] : undefined;
  const fixed = (text: string) => ({
    name,
    isMissing: text.trim() ? null : 'true',
    length: String(text.length),
    longest: text.length,
  });
  if (variable && 'text' in variable) return fixed(variable.text);
  const fallback = variable?.fallback?.trim() ?? '';
  const stored = (sql: string, longest: number) => ({
    ...{ name, isMissing: fallback ? null : `coalesce(btrim(${sql}, E' \\t\\r\\n'), '') = ''` },
    ...{
      length: `greatest(coalesce(octet_length(${sql}), 0), ${fallback.length})`,
      longest: Math.max(longest, fallback.length),
    },
  });
  if (variable && 'customField' in variable) return stored(customSql(variable.customField), LONGEST.custom);
  switch (variable?.field ?? name) {
    case 'name':
    case 'first_name':
      return { ...stored('c.name', LONGEST.name), isMissing: null };
    case 'phone':
      return { ...fixed('+'.repeat(LONGEST.phone)), isMissing: null };
    case 'email':
      return stored('c.email', LONGEST.email);
    case 'business':
      return fixed(businessName || fallback);
    default:
      return fixed(fallback);
  }
}

/** The id stands in the statement: where a value is of no condition, a parameter would have no type. */
function customSql(fieldId: string): string {
  if (!isUuid(fieldId)) throw new Error('A custom field is named by its id.');
  return `(c.custom_values ->> '${fieldId}')`;
}

/** A condition for whom a text can be too long; null where it can be for nobody. */
function tooLongSql(
  { text, longest }: { text: string; longest: number },
  placeholders: readonly Described[],
): string | null {
  const used = extractVariables(text).flatMap((name) => {
    const one = placeholders.find((described) => described.name === name);
    const times = text.split(new RegExp(`\\{\\{\\s*${name}\\s*\\}\\}`)).length - 1;
    return one ? [{ ...one, times }] : [];
  });
  const written = renderText(text, {}).replaceAll(/\{\{\s*\w+\s*\}\}/g, '').length;
  if (used.reduce((sum, one) => sum + one.longest * one.times, written) <= longest) return null;
  return `${written}${used.map(({ length, times }) => ` + ${times} * ${length}`).join('')} > ${longest}`;
}
