import type {
  AudienceFilter,
  ChosenAudience,
  PlannedAudience,
  PlannedExcept,
} from '@app/domain/delivery/audience';

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

/** A segment is remembered with its name, which stays readable after the segment was deleted. */
export type ChosenSegment = { segmentId: string; name: string };
export type ChosenFilter = AudienceFilter | ChosenSegment;
/** What can be left out. */
export type ChosenExcept = { tags: readonly string[]; segmentId?: undefined } | ChosenSegment;

/** Ids of contacts whom the server says that a filter names which cannot be judged here; see `isEvaluatedHere`. */
export type NamedByServer = ReadonlySet<string>;

/**
 * Who is chosen: everybody whom one of the filters names, but for the excluded, and people picked one by one. A million
 * people are one filter here, never a list.
 */
export interface AudienceSelection {
  filters: readonly ChosenFilter[];
  picked: ReadonlySet<string>;
  /** With their tags, so that adding one of these tags later brings them back. */
  excluded: ReadonlyMap<string, readonly string[]>;
  /** Tags and segments whose people are not meant, whatever else names them. */
  except: readonly ChosenExcept[];
  /** Nor are those who got a campaign within so many days; null: however lately. */
  restDays: number | null;
}

export const emptySelection: AudienceSelection = {
  ...{ filters: [], picked: new Set(), excluded: new Map() },
  ...{ except: [], restDays: null },
};

/** Nobody is chosen any more; whom it leaves out stays so, whoever is chosen next. */
export function clearChosen({ except, restDays }: AudienceSelection): AudienceSelection {
  return { ...emptySelection, except, restDays };
}

export function isSelectionEmpty({ filters, picked }: AudienceSelection): boolean {
  return filters.length === 0 && picked.size === 0;
}

export function isChosen(
  selection: AudienceSelection,
  contact: PickableContact,
  named: NamedByServer = nobody,
): boolean {
  if (selection.excluded.has(contact.id)) return false;
  return selection.picked.has(contact.id) || isNamed(selection, contact, named);
}

export function toggleContact(
  selection: AudienceSelection,
  contact: PickableContact,
  named: NamedByServer = nobody,
): AudienceSelection {
  const picked = new Set(selection.picked);
  const excluded = new Map(selection.excluded);
  const isInFilter = isNamed(selection, contact, named);
  if (isChosen(selection, contact, named)) {
    picked.delete(contact.id);
    if (isInFilter) excluded.set(contact.id, contact.tags);
  } else {
    excluded.delete(contact.id);
    if (!isInFilter) picked.add(contact.id);
  }
  return { ...selection, picked, excluded };
}

/** Rules, imports, campaigns, reports and languages look at more than a list shows of a contact, so the server tells whom they name. */
export function isEvaluatedHere(filter: ChosenFilter): filter is AudienceFilter {
  return (
    filter.segmentId === undefined &&
    filter.rules === undefined &&
    filter.importId === undefined &&
    filter.report === undefined &&
    filter.campaignId === undefined &&
    filter.language === undefined
  );
}

/** True where the server alone knows whom of the chosen it leaves out. */
export function leavesOut({ except, restDays }: AudienceSelection): boolean {
  return except.length > 0 || restDays !== null;
}

/** The segments of a choice, those that are left out too. */
export function segmentsIn({ filters, except }: AudienceSelection): ChosenSegment[] {
  return [...filters, ...except].flatMap((filter) => (filter.segmentId === undefined ? [] : [filter]));
}

export function hasFilter(selection: AudienceSelection, filter: ChosenFilter): boolean {
  return selection.filters.some((other) => isSameFilter(other, filter));
}

/** Adds everybody whom the filter names, also those of them who were taken out before. */
export function addFilter(selection: AudienceSelection, filter: ChosenFilter): AudienceSelection {
  if (Object.values(filter).every((part) => part === undefined)) {
    return { ...selection, filters: [{}], picked: new Set(), excluded: new Map() };
  }
  const tags = isEvaluatedHere(filter) ? filter.tags : undefined;
  const excluded = new Map(
    [...selection.excluded].filter(([, own]) => tags !== undefined && !tags.some((tag) => own.includes(tag))),
  );
  const filters = hasFilter(selection, filter) ? selection.filters : [...selection.filters, filter];
  return { ...selection, filters, excluded };
}

export function removeFilter(selection: AudienceSelection, filter: ChosenFilter): AudienceSelection {
  const filters = selection.filters.filter((other) => !isSameFilter(other, filter));
  return { ...selection, filters, excluded: filters.length === 0 ? new Map() : selection.excluded };
}

/** In the words of the API. */
export function toAudience(selection: AudienceSelection): ChosenAudience {
  const { filters: chosen, picked, excluded, except, restDays } = selection;
  const contactIds = [...picked];
  const filters = chosen.map((filter) => withoutName(filter));
  const leftOut = {
    ...(except.length > 0 && { except: except.map((filter) => withoutName(filter)) }),
    ...(restDays !== null && { restDays }),
  };
  if (filters.length === 0) return { contactIds, ...leftOut };
  const excludedIds = [...excluded.keys()];
  const [only] = filters;
  return filters.length === 1 && only && contactIds.length === 0
    ? { filter: only, excludedIds, ...leftOut }
    : { anyOf: filters, contactIds, excludedIds, ...leftOut };
}

function withoutName<Filter extends { segmentId?: undefined }>(
  filter: Filter | ChosenSegment,
): Filter | { segmentId: string } {
  return isSegment(filter) ? { segmentId: filter.segmentId } : filter;
}

function isSegment(filter: { segmentId?: string | undefined }): filter is ChosenSegment {
  return filter.segmentId !== undefined;
}

/** `segments` are the names of those in the audience. */
export function fromAudience(
  audience: PlannedAudience,
  segments: readonly { id: string; name: string }[] = [],
): AudienceSelection {
  const nameOf = (segmentId: string) => segments.find(({ id }) => id === segmentId)?.name ?? '';
  const named = (filter: AudienceFilter | { segmentId: string }): ChosenFilter =>
    filter.segmentId === undefined ? filter : { ...filter, name: nameOf(filter.segmentId) };
  const namedExcept = (filter: PlannedExcept): ChosenExcept =>
    filter.segmentId === undefined ? filter : { segmentId: filter.segmentId, name: nameOf(filter.segmentId) };
  const excludedOf = (ids: readonly string[] = []) => new Map(ids.map((id) => [id, [] as readonly string[]]));
  // The failed of another campaign are no choice of the picker: whoever copies it chooses anew.
  if ('failedOf' in audience) return emptySelection;
  const leftOut = { except: (audience.except ?? []).map(namedExcept), restDays: audience.restDays ?? null };
  if ('anyOf' in audience) {
    const { anyOf, contactIds, excludedIds } = audience;
    const picked = new Set(contactIds);
    return { filters: anyOf.map(named), picked, excluded: excludedOf(excludedIds), ...leftOut };
  }
  if ('filter' in audience) {
    const excluded = excludedOf(audience.excludedIds);
    return { filters: [named(audience.filter)], picked: new Set(), excluded, ...leftOut };
  }
  return { ...emptySelection, picked: new Set(audience.contactIds), ...leftOut };
}

/** As a value that JSON can hold, and back. */
export function packSelection({ picked, excluded, ...rest }: AudienceSelection) {
  return { ...rest, picked: [...picked], excluded: [...excluded] };
}

/** What an earlier version kept lacks what it did not know. */
export function unpackSelection(packed: Partial<ReturnType<typeof packSelection>>): AudienceSelection {
  const { picked, excluded, ...rest } = packed;
  return { ...emptySelection, ...rest, picked: new Set(picked), excluded: new Map(excluded) };
}

const nobody: NamedByServer = new Set();

function isNamed({ filters }: AudienceSelection, contact: PickableContact, named: NamedByServer): boolean {
  return (
    filters.some((filter) => isEvaluatedHere(filter) && matches(filter, contact)) ||
    (named.has(contact.id) && !filters.every(isEvaluatedHere))
  );
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

function isSameFilter(a: ChosenFilter, b: ChosenFilter): boolean {
  if (a.segmentId !== undefined || b.segmentId !== undefined) return a.segmentId === b.segmentId;
  return (
    JSON.stringify(a.rules) === JSON.stringify(b.rules) &&
    (a.search ?? '').toLowerCase() === (b.search ?? '').toLowerCase() &&
    a.status === b.status &&
    a.importId === b.importId &&
    a.campaignId === b.campaignId &&
    a.outcome === b.outcome &&
    a.reason === b.reason &&
    a.report === b.report &&
    a.language === b.language &&
    [...(a.tags ?? [])].sort().join('\n') === [...(b.tags ?? [])].sort().join('\n')
  );
}
