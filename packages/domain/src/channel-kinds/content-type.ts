/**
 * A form of message that one kind of channel adds to those that channels have in common, such as a carousel. The folder of the kind declares it, the
 * capabilities of its channels name it, and everything else carries its value without looking into it.
 */
export type ContentType = {
  /** The kind of channel that declares it. */
  kind: string;
  /** Names it in rows, in the API and in the browser: `carousel`. */
  name: string;
  /** Reads a value of any shape: in its clean form, or with everything that is wrong with it. `{{word}}` counts as it is written. */
  read(value: unknown): ReadContent;
  /** What lists, search and quotes show of a value that was read, in one line. */
  lineOf(value: ContentValue): string;
  /** Its links, for counting; without it they leave as they are. */
  mapLinks?: MapLinks;
  /** A template may hold it. It leaves as it is, because no platform reviews it. */
  inTemplates: boolean;
};

/**
 * The same value with its links changed: `change` gets the address of each thing that is tapped, with its label, and `changeText` each text that is shown.
 * Addresses of pictures are no links.
 */
export type MapLinks = (
  value: ContentValue,
  change: (address: string, label: string) => string,
  changeText: (text: string) => string,
) => ContentValue;

/** JSON, in the form that the content type declares. */
export type ContentValue = Readonly<Record<string, unknown>>;
export type ReadContent = { value: ContentValue } | { faults: readonly ContentFault[] };

/** `path` is the place in the value, such as `cards.1.title`; `limit` what it goes beyond or stays below. */
export type ContentFault = { path: string; problem: ContentProblem; limit?: number };
export const contentProblems = [
  ...(['missing', 'not_known', 'too_long', 'too_few', 'too_many'] as const),
  ...(['address_invalid', 'repeated', 'not_alike'] as const),
] as const;
export type ContentProblem = (typeof contentProblems)[number];

/** A value with the content type that it is meant for. */
export type GivenContent = { kind: string; contentType: string; value: ContentValue };

export function findContentType(
  contents: readonly ContentType[],
  { kind, contentType }: Pick<GivenContent, 'kind' | 'contentType'>,
): ContentType | undefined {
  return contents.find((one) => one.kind === kind && one.name === contentType);
}

/** Every text in a value, wherever it is: placeholders are filled in all of them. */
export function textsOfValue(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(textsOfValue);
}

/** The same value with each of its texts changed. */
export function mapTexts(value: ContentValue, change: (text: string) => string): ContentValue {
  const changed = (part: unknown): unknown => {
    if (typeof part === 'string') return change(part);
    if (Array.isArray(part)) return part.map(changed);
    if (typeof part !== 'object' || part === null) return part;
    return Object.fromEntries(Object.entries(part).map(([key, inner]) => [key, changed(inner)]));
  };
  return changed(value) as ContentValue; // an object stays one
}
