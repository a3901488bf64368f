import type { ContentValue } from './content-type.ts';

/** A file of the workspace's library in the value of a content type: it stands under the name `file`, and leaves as a public address under `link`. */
export type LibraryFile = { id: string; name?: string; mimeType?: string; size?: number };

/** The ids of the files in a value, each once. */
export function fileIdsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const own = fileOf(value)?.id;
  return [
    ...new Set([
      ...(own === undefined || own === '' ? [] : [own]),
      ...Object.values(value).flatMap(fileIdsIn),
    ]),
  ];
}

/** The value as a platform gets it: each file is an address. The same value where it holds none. */
export function linkFiles(value: ContentValue, linkOf: (file: LibraryFile) => string): ContentValue {
  return fileIdsIn(value).length === 0 ? value : (linked(value, linkOf) as ContentValue); // an object stays one
}

/** The value with the files as they are stored; those that are not there stay as they are. */
export function describeFiles(
  value: ContentValue,
  find: (fileId: string) => LibraryFile | undefined,
): ContentValue {
  const described = (part: unknown): unknown => {
    if (Array.isArray(part)) return part.map(described);
    if (typeof part !== 'object' || part === null) return part;
    const file = fileOf(part);
    const entries = Object.entries(part).map(([key, inner]): [string, unknown] => [
      key,
      file && key === 'file' ? (find(file.id) ?? file) : described(inner),
    ]);
    return Object.fromEntries(entries);
  };
  return described(value) as ContentValue; // an object stays one
}

function linked(part: unknown, linkOf: (file: LibraryFile) => string): unknown {
  if (Array.isArray(part)) return part.map((one) => linked(one, linkOf));
  if (typeof part !== 'object' || part === null) return part;
  const file = fileOf(part);
  const entries = Object.entries(part).map(([key, inner]): [string, unknown] =>
    file && key === 'file' ? ['link', linkOf(file)] : [key, linked(inner, linkOf)],
  );
  return Object.fromEntries(entries);
}

function fileOf(part: object): LibraryFile | undefined {
  const file = 'file' in part ? part.file : undefined;
  const isFile = typeof file === 'object' && file !== null && 'id' in file && typeof file.id === 'string';
  return isFile ? (file as LibraryFile) : undefined;
}
