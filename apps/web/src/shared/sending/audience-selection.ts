import type { Audience, AudienceFilter } from '@app/domain/delivery/audience';

/** What the picker knows of a contact in its list. */
export interface PickableContact {
  id: string;
  name: string;
  phone: string | null;
  email?: string | null | undefined;
  tags: readonly string[];
  status: string;
  optedOutAt?: string | null | undefined;
}

/**
 * Who is chosen: everybody whom one of the filters names, but for the excluded, and people picked one by one. A million
 * people are one filter here, never a list.
 */
export interface AudienceSelection {
  filters: readonly AudienceFilter[];
  picked: ReadonlySet<string>;
  /** With their tags, so that adding one of these tags later brings them back. */
  excluded: ReadonlyMap<string, readonly string[]>;
}

export const emptySelection: AudienceSelection = { filters: [], picked: new Set(), excluded: new Map() };

export function isSelectionEmpty({ filters, picked }: AudienceSelection): boolean {
  return filters.length === 0 && picked.size === 0;
}

export function isChosen(selection: AudienceSelection, contact: PickableContact): boolean {
  if (selection.excluded.has(contact.id)) return false;
  return selection.picked.has(contact.id) || selection.filters.some((filter) => matches(filter, contact));
}

export function toggleContact(selection: AudienceSelection, contact: PickableContact): AudienceSelection {
  const picked = new Set(selection.picked);
  const excluded = new Map(selection.excluded);
  const isNamed = selection.filters.some((filter) => matches(filter, contact));
  if (isChosen(selection, contact)) {
    picked.delete(contact.id);
    if (isNamed) excluded.set(contact.id, contact.tags);
  } else {
    excluded.delete(contact.id);
    if (!isNamed) picked.add(contact.id);
  }
  return { ...selection, picked, excluded };
}

export function hasFilter(selection: AudienceSelection, filter: AudienceFilter): boolean {
  return selection.filters.some((other) => isSameFilter(other, filter));
}

/** Adds everybody whom the filter names, also those of them who were taken out before. */
export function addFilter(selection: AudienceSelection, filter: AudienceFilter): AudienceSelection {
  if (Object.values(filter).every((part) => part === undefined)) {
    return { filters: [{}], picked: new Set(), excluded: new Map() };
  }
  const { tags } = filter;
  const excluded = new Map(
    [...selection.excluded].filter(([, own]) => tags !== undefined && !tags.some((tag) => own.includes(tag))),
  );
  const filters = hasFilter(selection, filter) ? selection.filters : [...selection.filters, filter];
  return { ...selection, filters, excluded };
}

export function removeFilter(selection: AudienceSelection, filter: AudienceFilter): AudienceSelection {
  const filters = selection.filters.filter((other) => !isSameFilter(other, filter));
  return { ...selection, filters, excluded: filters.length === 0 ? new Map() : selection.excluded };
}

/** In the words of the API. */
export function toAudience({ filters, picked, excluded }: AudienceSelection): Audience {
  const contactIds = [...picked];
  if (filters.length === 0) return { contactIds };
  const excludedIds = [...excluded.keys()];
  const [only] = filters;
  return filters.length === 1 && only && contactIds.length === 0
    ? { filter: only, excludedIds }
    : { anyOf: filters, contactIds, excludedIds };
}

export function fromAudience(audience: Audience): AudienceSelection {
  const excludedOf = (ids: readonly string[] = []) => new Map(ids.map((id) => [id, [] as readonly string[]]));
  if ('anyOf' in audience) {
    const { anyOf, contactIds, excludedIds } = audience;
    return { filters: anyOf, picked: new Set(contactIds), excluded: excludedOf(excludedIds) };
  }
  if ('filter' in audience) {
    return { filters: [audience.filter], picked: new Set(), excluded: excludedOf(audience.excludedIds) };
  }
  // The failed of another campaign are no choice of the picker: whoever copies it chooses anew.
  if ('failedOf' in audience) return emptySelection;
  return { ...emptySelection, picked: new Set(audience.contactIds) };
}

/** As a value that JSON can hold, and back. */
export function packSelection({ filters, picked, excluded }: AudienceSelection) {
  return { filters, picked: [...picked], excluded: [...excluded] };
}

export function unpackSelection(packed: ReturnType<typeof packSelection>): AudienceSelection {
  return { filters: packed.filters, picked: new Set(packed.picked), excluded: new Map(packed.excluded) };
}

/** The same rules as the server's, for what is on the screen. */
function matches({ search, tags, status }: AudienceFilter, contact: PickableContact): boolean {
  const text = `${contact.name}\n${contact.phone ?? ''}\n${contact.email ?? ''}`.toLowerCase();
  const term = search?.trim().toLowerCase() ?? '';
  const digits = term.replace(/[\s().-]/g, '');
  return (
    (text.includes(term) || (/^\+?\d+$/.test(digits) && text.includes(digits))) &&
    (!tags || tags.length === 0 || tags.some((tag) => contact.tags.includes(tag))) &&
    (!status || contact.status === status)
  );
}

function isSameFilter(a: AudienceFilter, b: AudienceFilter): boolean {
  return (
    (a.search ?? '').toLowerCase() === (b.search ?? '').toLowerCase() &&
    a.status === b.status &&
    [...(a.tags ?? [])].sort().join('\n') === [...(b.tags ?? [])].sort().join('\n')
  );
}
