import type { CustomFieldType } from '../custom-fields/custom-field.ts';
import { isDay } from '../custom-fields/day.ts';
import { cleanText, contactLimits, readEmailAddress } from '../contacts/contact.ts';
import { isTimeZone } from '../campaigns/quiet-hours.ts';
import {
  isConditionValid,
  conditionsOf,
  segmentLimits,
  type SegmentRules,
} from '../segments/segment-rules.ts';
import { isUuid } from '../uuid.ts';
import type { ValueEscape } from './flow-values.ts';
import {
  durationMs,
  durationUnits,
  FLOW_ID,
  flowLimits,
  LONGEST_WAIT_MS,
  type Duration,
  type FlowConfig,
  type Json,
} from './flow-file.ts';

/**
 * What a field of a step or trigger holds; the editor renders its control by it.
 *
 * | Kind | JSON value |
 * | --- | --- |
 * | text, long_text | text; with `takesValues` it may hold `{{values}}` |
 * | choice | one of `options` |
 * | flag | true or false |
 * | number | number between `least` and `most` |
 * | words | list of texts |
 * | tag, tags | name, or list of names |
 * | template, campaign, workflow, bot_flow, segment, channel, custom_field, user, team, media | id |
 * | duration | `{ "amount": 2, "unit": "days" }` |
 * | rules | rules of the segment builder |
 * | date_time | `2026-11-21T09:30`, on the clocks of the zone of the flow |
 * | time | `09:30` |
 * | weekdays | list of 1 (Monday) to 7 |
 * | time_zone | `contact`, `workspace` or a name such as `Europe/Berlin` |
 * | url, email | text that may hold values |
 * | variables | texts by placeholder of the template; each may hold values |
 * | headers, mapping | list of `{ "name": …, "value": … }` |
 * | shares | list of `{ "name": …, "percent": … }` that make 100 |
 * | buttons | list of titles |
 * | choices | list of `{ "name": …, "title": …, "description": … }`; each name is an exit of the step |
 * | goal | `{ "type": …, "config": … }`: a trigger |
 * | form_fields | list of `{ "name": …, "label": …, "type": …, "isRequired": … }` |
 * | slug | small letters, digits and dashes: part of an address |
 * | path | how to reach a value of a JSON body: `customer.phone`, `Phone number` |
 */
export const fieldKinds = [
  ...['text', 'long_text', 'choice', 'flag', 'number', 'words', 'tag', 'tags'],
  ...['template', 'campaign', 'workflow', 'bot_flow', 'segment', 'channel', 'custom_field', 'user', 'team'],
  'media',
  ...['duration', 'rules', 'date_time', 'time', 'weekdays', 'time_zone', 'url', 'email'],
  ...[
    'variables',
    'headers',
    'mapping',
    'shares',
    'buttons',
    'choices',
    'goal',
    'form_fields',
    'slug',
    'path',
  ],
] as const;
export type FieldKind = (typeof fieldKinds)[number];

export type FieldDefinition = {
  name: string;
  kind: FieldKind;
  /** A published flow must have it, where the field is shown. */
  isRequired?: boolean;
  /** Of a `custom_field`: the type that the field must have. */
  customFieldType?: CustomFieldType;
  /** Texts in it may hold `{{values}}`. */
  takesValues?: boolean;
  /** What holds the text, so that a value cannot break out of it: a JSON text, an address, one line. */
  escape?: ValueEscape;
  options?: readonly string[];
  /** Of a number; `most` of a long text is its length. */
  least?: number;
  most?: number;
  /** What the editor begins with. */
  initial?: Json;
  /** Shown, and checked, only while another field has one of these values; of several, while each has. */
  when?: FieldCondition | readonly FieldCondition[];
};
type FieldCondition = { field: string; is: readonly Json[] };

/** What is wrong with a field: codes, which the web says in words. */
export type FieldProblem = 'field_missing' | 'field_invalid' | 'field_too_long';

/** Ids that a field refers to, by the kind of what it names: publishing looks whether all are there. */
export const referenceKinds = [
  'template',
  'campaign',
  'workflow',
  'bot_flow',
  'segment',
  'channel',
  'custom_field',
  'user',
  'team',
  'media',
] as const satisfies readonly FieldKind[];
export type ReferenceKind = (typeof referenceKinds)[number];

export function isReference(kind: FieldKind): kind is ReferenceKind {
  return (referenceKinds as readonly FieldKind[]).includes(kind);
}

/** Whether the field counts with this configuration. */
export function isFieldShown({ when }: FieldDefinition, config: FlowConfig): boolean {
  const conditions: readonly FieldCondition[] = when === undefined ? [] : [when].flat();
  return conditions.every((one) => one.is.some((value) => value === (config[one.field] ?? null)));
}

/** The problem of one value, or null. A missing value is a problem of a required field alone. */
export function findFieldProblem(field: FieldDefinition, config: FlowConfig): FieldProblem | null {
  if (!isFieldShown(field, config)) return null;
  const value = config[field.name];
  if (isEmpty(value)) return field.isRequired ? 'field_missing' : null;
  if (textsOf(value).some((text) => text.length > flowLimits.text)) return 'field_too_long';
  return isFieldValid(field, value) ? null : 'field_invalid';
}

function isEmpty(value: Json | undefined): value is undefined | null | '' {
  if (value === undefined || value === null || value === '') return true;
  return (Array.isArray(value) && value.length === 0) || (typeof value === 'string' && value.trim() === '');
}

/** Every text within a value, however deep. */
export function textsOf(value: Json | undefined): string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap((item: Json) => textsOf(item));
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsOf) : [];
}

const MOST_ITEMS = 50;

function isFieldValid(field: FieldDefinition, value: Json): boolean {
  const { kind, options = [], least = -Infinity, most = Infinity } = field;
  const isText = typeof value === 'string';
  const isList = (test: (item: Json) => boolean) =>
    Array.isArray(value) && value.length <= MOST_ITEMS && value.every((item: Json) => test(item));
  const isNamed = (test: (item: Pair) => boolean = () => true) =>
    isList((item) => isPair(item) && item.name.trim() !== '' && test(item));
  if (isReference(kind)) return isText && isUuid(value);
  switch (kind) {
    case 'text':
      return isText && value.length <= 1000;
    case 'long_text':
      return isText && value.length <= most;
    case 'choice':
      return isText && options.includes(value);
    case 'flag':
      return typeof value === 'boolean';
    case 'number':
      return typeof value === 'number' && Number.isFinite(value) && value >= least && value <= most;
    case 'words':
      return isList((item) => typeof item === 'string' && item.trim() !== '' && item.length <= 200);
    case 'tag':
      return isTag(value);
    case 'tags':
      return isList(isTag);
    case 'duration':
      return isDuration(value) && durationMs(value) >= Math.max(least, 0);
    case 'rules':
      return isRules(value);
    case 'date_time':
      return isText && isDateTime(value);
    case 'time':
      return isText && /^([01]\d|2[0-3]):[0-5]\d$/.test(value);
    case 'weekdays':
      return isList((item) => [1, 2, 3, 4, 5, 6, 7].includes(item as number));
    case 'time_zone':
      return isText && (value === 'contact' || value === 'workspace' || isTimeZone(value));
    case 'url':
      return isText && value.length <= 2000 && isAddress(value);
    case 'email':
      return isText && value.split(/[,;]/).every((part) => part.includes('{{') || !!readEmailAddress(part));
    case 'variables':
      return isRecord(value) && Object.values(value).every((item) => typeof item === 'string');
    case 'headers':
      return isNamed(
        ({ name, value: text }) => /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/.test(name) && !/[\r\n]/.test(text),
      );
    case 'mapping':
      return isNamed(({ name }) => /^[a-z][a-z0-9_]{0,39}$/.test(name));
    case 'shares':
      return isShares(value);
    case 'buttons':
      return (
        isList((item) => typeof item === 'string' && item.trim() !== '' && item.length <= 60) &&
        (value as readonly Json[]).length <= most &&
        hasNoDoubles(value)
      );
    case 'choices':
      return isChoices(value);
    case 'goal':
      return isRecord(value) && typeof value['type'] === 'string' && isRecord(value['config']);
    case 'form_fields':
      return (
        isList(isFormField) && hasNoDoubles((value as readonly { name: string }[]).map(({ name }) => name))
      );
    case 'slug':
      return isText && /^[a-z0-9]([a-z0-9-]{0,58}[a-z0-9])?$/.test(value);
    case 'path':
      return isText && value.length <= 200 && /^\S(?:.*\S)?$/.test(value);
    default:
      return false;
  }
}

type Pair = { name: string; value: string };

function isRecord(value: Json | undefined): value is { readonly [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isPair(value: Json): value is Pair {
  return isRecord(value) && typeof value['name'] === 'string' && typeof value['value'] === 'string';
}

function isTag(value: Json): boolean {
  return (
    typeof value === 'string' &&
    cleanText(value) === value &&
    value !== '' &&
    value.length <= contactLimits.tag &&
    !value.includes(';')
  );
}

/** Whole seconds at least, a year at most. */
export function isDuration(value: Json | undefined): value is Duration {
  if (!isRecord(value)) return false;
  const { amount, unit } = value;
  const isKnown = typeof unit === 'string' && (durationUnits as readonly string[]).includes(unit);
  if (!isKnown || typeof amount !== 'number' || amount < 0) return false;
  const ms = durationMs({ amount, unit } as Duration);
  return Number.isInteger(ms) && ms <= LONGEST_WAIT_MS;
}

/** Rules as the segment builder makes them, with at least one condition and each of them possible. */
export function isRules(value: Json | undefined): boolean {
  if (!isRecord(value)) return false;
  const { match, conditions, groups = [] } = value;
  const areGroups =
    Array.isArray(groups) &&
    groups.every((group: Json) => isRecord(group) && isGroup(group['match'], group['conditions']));
  if (!isGroup(match, conditions) || !areGroups) return false;
  const all = conditionsOf(value as unknown as SegmentRules); // its parts were looked at above
  return all.length > 0 && all.length <= segmentLimits.conditions && all.every(isConditionValid);
}

function isGroup(match: Json | undefined, conditions: Json | undefined): boolean {
  const isCondition = (item: Json) =>
    isRecord(item) && typeof item['kind'] === 'string' && typeof item['value'] === 'string';
  return (
    (match === 'all' || match === 'any') &&
    Array.isArray(conditions) &&
    conditions.every((item: Json) => isCondition(item))
  );
}

/** Also false for a day that no calendar has, such as 31 February. */
function isDateTime(text: string): boolean {
  const day = /^(\d{4}-\d\d-\d\d)T([01]\d|2[0-3]):[0-5]\d$/.exec(text)?.[1];
  return day !== undefined && isDay(day);
}

/** An http address; its host is written out, so that no value can lead the call elsewhere. */
function isAddress(text: string): boolean {
  return /^https?:\/\/[^\s/{}?#@\\]+([/?#]\S*)?$/i.test(text);
}

/** One of several answers that a contact can tap. `name` is the exit of the step. */
export type FlowChoice = { name: string; title: string; description?: string };

/** A list of a channel takes so many. */
const MOST_CHOICES = 10;
/** Of a list; up to three shorter ones are buttons. */
const LONGEST_TITLE = 24;
const LONGEST_DESCRIPTION = 72;
/** Exits of the same step with other meanings. */
const RESERVED: ReadonlySet<string> = new Set(['done', 'other', 'failed', 'timed_out']);

function isChoices(value: Json): boolean {
  if (!Array.isArray(value) || value.length === 0 || value.length > MOST_CHOICES) return false;
  const isChoice = (item: Json): item is FlowChoice => {
    if (!isRecord(item)) return false;
    const { name, title, description = '' } = item;
    return (
      typeof name === 'string' &&
      FLOW_ID.test(name) &&
      !RESERVED.has(name) &&
      typeof title === 'string' &&
      title.trim() !== '' &&
      title.length <= LONGEST_TITLE &&
      typeof description === 'string' &&
      description.length <= LONGEST_DESCRIPTION
    );
  };
  const choices = value as readonly Json[];
  if (!choices.every(isChoice)) return false;
  return hasNoDoubles(choices.map(({ name }) => name)) && hasNoDoubles(choices.map(({ title }) => title));
}

export type Share = { name: string; percent: number };

function isShares(value: Json): boolean {
  if (!Array.isArray(value) || value.length < 2 || value.length > 10) return false;
  const shares = value as readonly Json[];
  const isShare = (item: Json): item is Share =>
    isRecord(item) &&
    typeof item['name'] === 'string' &&
    /^[A-Za-z0-9_-]{1,40}$/.test(item['name']) &&
    typeof item['percent'] === 'number' &&
    Number.isInteger(item['percent']) &&
    item['percent'] >= 0;
  if (!shares.every(isShare)) return false;
  return (
    shares.reduce((sum, { percent }) => sum + percent, 0) === 100 &&
    hasNoDoubles(shares.map(({ name }) => name))
  );
}

export const formFieldTypes = [
  'text',
  'long_text',
  'email',
  'phone',
  'number',
  'date',
  'choice',
  'yes_no',
] as const;
export type FormField = {
  /** Under which the answer stands among the values of the trigger. */
  name: string;
  label: string;
  type: (typeof formFieldTypes)[number];
  isRequired: boolean;
  options?: readonly string[];
};

function isFormField(value: Json): boolean {
  if (!isRecord(value)) return false;
  const { name, label, type, isRequired, options } = value;
  const hasOptions =
    Array.isArray(options) &&
    options.length > 0 &&
    options.length <= MOST_ITEMS &&
    options.every((option: Json) => typeof option === 'string' && option.trim() !== '');
  return (
    typeof name === 'string' &&
    /^[a-z][a-z0-9_]{0,39}$/.test(name) &&
    typeof label === 'string' &&
    label.trim() !== '' &&
    label.length <= 200 &&
    typeof isRequired === 'boolean' &&
    (formFieldTypes as readonly Json[]).includes(type ?? null) &&
    (type === 'choice' ? hasOptions : true)
  );
}

function hasNoDoubles(value: Json): boolean {
  if (!Array.isArray(value)) return false;
  const names = value.map((item: Json) =>
    typeof item === 'string' ? item.trim().toLowerCase() : JSON.stringify(item),
  );
  return new Set(names).size === names.length;
}
