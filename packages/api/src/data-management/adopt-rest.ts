import type {
  Adoption,
  AdoptionOutcome,
  ImportRules,
  ImportSection,
  ReplacedCounts,
} from '@app/domain/data-management/data-import';
import { addPlannedFields, type NewFieldRule, type OfferedField } from '../custom-fields/adopt-fields.ts';
import { adoptCampaigns, type OfferedCampaign } from '../campaigns/adopt-campaigns.ts';
import { adoptTemplates, type OfferedTemplate, type TemplateBefore } from '../templates/adopt-templates.ts';
import type { Jobs } from '../platform/jobs/enqueue-job.ts';
import type { WorkspaceScope } from '../platform/workspace-scope.ts';
import { adoptSettings, type SettingsBefore } from './adopt-settings.ts';
import { countStagedRows, readRefusedRows, readStagedRows, type StagedData } from './data-rows.ts';

export type SectionCounts = Record<AdoptionOutcome, number>;
export type ImportItem = {
  section: ImportSection;
  row: number;
  name: string;
  outcome: AdoptionOutcome;
  problem: string | null;
};
/** What an import came to, or would. */
export type DataReport = Record<ImportSection, SectionCounts> & {
  /** Of the people of the file, who from now on gets no marketing. */
  optOuts: number;
  /** What goes, where the file takes its place. */
  goes: ReplacedCounts | null;
  /** The first of each section that were not simply added. */
  items: ImportItem[];
};

/** What takes an import back. */
export type DataBefore = {
  fields: string[];
  templates: TemplateBefore[];
  campaigns: string[];
  settings: SettingsBefore[];
};

const ROWS_AT_ONCE = 200;
/** Of each section. */
const MOST_ITEMS = 50;
/** Far more than a workspace may have; those behind them are counted alone. */
const MOST_FIELDS = 10_000;

export type RestOfFile = {
  settings: unknown;
  fields: {
    adopted: readonly Adoption<never>[];
    made: readonly NewFieldRule[];
    beyond: number;
  };
};
/** Takes everything of the file but its contacts, in one transaction with them. */
export async function adoptRest(
  scope: WorkspaceScope,
  jobs: Jobs,
  { settings, fields }: RestOfFile,
  rules: ImportRules,
): Promise<{
  report: Omit<DataReport, 'contacts' | 'optOuts' | 'goes'>;
  before: DataBefore;
}> {
  const items: ImportItem[] = [];
  const count = (section: ImportSection, counts: SectionCounts, adopted: readonly Adoption<unknown>[]) => {
    let room = MOST_ITEMS - items.filter((item) => item.section === section).length;
    for (const { row, name, outcome, problem = null } of adopted) {
      counts[outcome] += 1;
      const isWorthTelling = outcome !== 'added' && outcome !== 'same';
      if (!isWorthTelling || room === 0) continue;
      room -= 1;
      items.push({ section, row, name, outcome, problem });
    }
  };
  const countRefused = async (section: 'templates' | 'campaigns', counts: SectionCounts) => {
    const { rows, count: all } = await readRefusedRows(scope, section, MOST_ITEMS);
    count(section, counts, rows.map(refuse));
    counts.refused += all - rows.length;
  };
  if (!rules.isDryRun) await addPlannedFields(scope, fields.made);
  const before: DataBefore = {
    ...{
      fields: fields.made.map(({ id }) => id),
      templates: [],
      campaigns: [],
      settings: [],
    },
  };
  const report = {
    ...{
      customFields: noCounts(),
      templates: noCounts(),
      campaigns: noCounts(),
      settings: noCounts(),
      items,
    },
  };
  count('customFields', report.customFields, fields.adopted);
  report.customFields.refused += fields.beyond;
  for await (const rows of readSlices(scope, 'templates')) {
    const adopted = await adoptTemplates(scope, rows as OfferedTemplate[], rules); // as the contract read them
    count('templates', report.templates, adopted);
    before.templates.push(...adopted.flatMap(({ before: was }) => was ?? []));
  }
  await countRefused('templates', report.templates);
  for await (const rows of readSlices(scope, 'campaigns')) {
    const adopted = await adoptCampaigns(scope, rows as OfferedCampaign[], rules); // as the contract read them
    count('campaigns', report.campaigns, adopted);
    before.campaigns.push(...adopted.flatMap(({ before: id }) => id ?? []));
  }
  await countRefused('campaigns', report.campaigns);
  const changed = await adoptSettings(scope, jobs, settings, rules);
  count('settings', report.settings, changed.adopted);
  before.settings = changed.before;
  return { report, before };
}

/** What the file says of fields, as far as it can be read. */
export async function readFields(client: Parameters<typeof readStagedRows>[0]): Promise<{
  offered: OfferedField[];
  refused: Adoption<never>[];
  beyond: number;
}> {
  const rows = await readStagedRows(client, 'customFields', {
    after: 0,
    most: MOST_FIELDS,
  });
  const offered = rows.filter(isUsable).map(({ row, data }) => ({ ...data, row }) as OfferedField); // as the contract read it
  const last = rows.at(-1);
  const beyond =
    last && rows.length === MOST_FIELDS ? await countStagedRows(client, 'customFields', last.row) : 0;
  return {
    offered,
    refused: rows.filter((row) => !isUsable(row)).map(refuse),
    beyond,
  };
}

async function* readSlices(
  scope: WorkspaceScope,
  section: 'templates' | 'campaigns',
): AsyncGenerator<Record<string, unknown>[]> {
  for (let after = 0; ;) {
    const rows = await readStagedRows(scope, section, {
      after,
      most: ROWS_AT_ONCE,
    });
    if (rows.length === 0) return;
    const usable = rows.filter(isUsable).map(({ row, data }) => ({ ...data, row }));
    if (usable.length > 0) yield usable;
    after = rows.at(-1)!.row; // there are some
  }
}

function isUsable({ data, isDouble }: StagedData): boolean {
  return data !== null && !isDouble;
}

function refuse({ row, name, isDouble }: StagedData): Adoption<never> {
  return {
    row,
    name,
    outcome: 'refused',
    problem: isDouble ? 'double' : 'invalid',
  };
}

function noCounts(): SectionCounts {
  return { added: 0, changed: 0, same: 0, kept: 0, refused: 0 };
}
