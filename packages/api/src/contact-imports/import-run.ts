import type { DuplicateRule } from '@app/domain/contact-imports/contact-import';
import type { StatedConsent } from '@app/domain/contact-imports/import-consent';
import type { ImportMapping } from '@app/domain/contact-imports/import-mapping';
import type { CustomFieldRule } from '@app/domain/custom-fields/custom-field';
import type { PhoneCountry } from '@app/domain/contacts/phone-country';
import type { AmbiguousReading } from '@app/domain/contacts/ambiguous-number';
import type { FileColumns } from '@app/domain/contact-imports/failed-rows-file';
import type { ImportEncoding } from './reading/import-text.ts';
import type { ImportFile } from './reading/read-file-rows.ts';
import type { HeldConnection } from '../platform/request-scopes.ts';
import type { WorkspaceScope } from '../platform/workspace-scope.ts';
import type { SecretBox } from '../platform/request-context.ts';

/** Moving figures of an import; a timer of the caller shows them to people. */
export type ImportProgress = {
  phase: 'reading' | 'saving';
  receivedBytes: number;
  rows: number;
  successful: number;
  /** Of the successful ones, those that changed a contact. */
  updated: number;
  failed: number;
  /** Of those who were added, or would be: opted out before, which holds. */
  optedOut: number;
  /** Of the rows that could be read: their number could be read in another way, too. */
  twofold: number;
  /** Of whom the file says so. */
  optOuts: number;
  optIns: number;
  /** Known once the first row was read; null for JSON. */
  columns: FileColumns;
  /** In which letters it was read; null until that is certain. */
  encoding: ImportEncoding | null;
};

export type ImportChoices = {
  duplicates: DuplicateRule;
  isDryRun: boolean;
  mapping?: ImportMapping | undefined;
  /** Where numbers without a country code are from. */
  country?: PhoneCountry | undefined;
  /** How those of them are read that can be numbers of another country as well. */
  twofold?: AmbiguousReading | undefined;
  /** The owner stated that whoever the file opts in agreed; otherwise nobody is opted in. */
  isConsentStated: boolean;
  /** That statement is also about columns that speak of SMS or mail. */
  coversOtherChannels: boolean;
  /** Everybody in the file agreed, but for those of whom it says otherwise. */
  statedConsent?: StatedConsent | undefined;
  /** Everybody in the file gets these. */
  tags?: readonly string[] | undefined;
  /** Of a workbook; without a name its first. */
  sheet?: string | undefined;
  /** In which letters a text file is read; otherwise as they are guessed. */
  encoding?: string | undefined;
  /** The first row is a contact already. */
  isHeadless?: boolean | undefined;
  /** An import of the same file: whom it added is here as the file says, or as somebody left them since. */
  insteadOf?: string | undefined;
};

/** What of a run its first statements need. */
export type SavingRun = Pick<ImportRun, 'importId' | 'fileName' | 'at' | 'signal'>;

export type ImportRun = {
  importId: string;
  fileName: string;
  /** When the file began to arrive. */
  at: Date;
  secrets: Pick<SecretBox, 'fingerprint'>;
  file: ImportFile;
  /** The same, for what has to be known before its rows are read; nothing of it counts as progress. */
  lookedInto: ImportFile;
  choices: ImportChoices;
  progress: ImportProgress;
  /** The custom fields that rows may name, where some of them are made by this import only; else those of the workspace. */
  fields?: readonly CustomFieldRule[] | undefined;
  /** The rows wait in `import_rows`: what the file says may be narrowed there before anything is judged by it. */
  onStaged?(held: HeldConnection): Promise<void>;
  /**
   * The rows take the place of all contacts that are here: what is first in the transaction that saves them, and takes those away. Nobody is known then by
   * a number that was merged.
   */
  makeRoom?(scope: WorkspaceScope, run: SavingRun): Promise<void>;
  /** Aborted when somebody cancels; its reason is then thrown. */
  signal: AbortSignal;
  /** Runs in the transaction of the import, just before it is committed. */
  beforeCommit(scope: WorkspaceScope): Promise<void>;
  /** The import is committed; only the tidying after it failed. */
  onUntidy(error: unknown): void;
};
