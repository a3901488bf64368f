/** What decides where the file and the workspace say different things. */
export const importPreferences = ['file', 'here'] as const;
export type ImportPreference = (typeof importPreferences)[number];

/** What an import does where they differ, whether the file takes the place of what is here instead, and whether it only tries. */
export type ImportRules = { prefers: ImportPreference; replaces: boolean; isDryRun: boolean };

/** What goes where a file takes the place of what is here, as people count it. */
export const replacedCounts = [
  ...(['contacts', 'conversations', 'messages', 'segments'] as const),
  ...(['customFields', 'templates', 'campaigns'] as const),
] as const;
export type ReplacedCounts = Record<(typeof replacedCounts)[number], number>;

export const importSections = ['contacts', 'customFields', 'templates', 'campaigns', 'settings'] as const;
export type ImportSection = (typeof importSections)[number];

/** What becomes of one thing of the file. `kept`: it differs here, and stays as it is here. */
export const adoptionOutcomes = ['added', 'changed', 'same', 'kept', 'refused'] as const;
export type AdoptionOutcome = (typeof adoptionOutcomes)[number];

/** Why something was refused, or stays as it is although the file was to win. */
export const adoptionProblems = [
  /** Its values are none that could be saved here by hand. */
  'invalid',
  /** Another one before it has the same name. */
  'double',
  /** The file of its header is not in this workspace. */
  'media_missing',
  /** The field has another type here. */
  'type_differs',
  'too_many_fields',
  /** It was submitted, or is approved: what the platform checked stays. */
  'submitted',
  /** A setting that there is not. */
  'unknown_setting',
  /** Numbers are connected, and no file says which. */
  'number_connected',
  /** Campaigns that are here are never changed. */
  'exists',
] as const;
export type AdoptionProblem = (typeof adoptionProblems)[number];

/** What became of one thing of the file, with what takes it back. */
export type Adoption<Before> = {
  row: number;
  name: string;
  outcome: AdoptionOutcome;
  problem?: AdoptionProblem;
  before?: Before;
};

/** An import whose act is over may be taken back for so long. */
export const DAYS_IMPORT_UNDOABLE = 30;

export const DATA_VERSION = '1.0';

/** What a file says of its form: one of ours, one of a later version of the product, or of somebody else. A file without a version is of the first. */
export function validateDataVersion(version: unknown): 'ours' | 'newer' | 'foreign' {
  if (version === undefined || version === DATA_VERSION) return 'ours';
  return typeof version === 'string' && /^\d{1,6}(\.\d{1,6}){0,3}$/.test(version) ? 'newer' : 'foreign';
}

/** What every file of ours has, whatever else stands in it. */
export const dataLists = ['contacts', 'templates', 'campaigns'] as const;
