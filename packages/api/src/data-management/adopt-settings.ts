import { kindList } from '@app/domain/channel-kinds/kind-list';
import { general, messaging } from '@app/contracts/settings/settings-contract';
import type { Adoption, ImportRules } from '@app/domain/data-management/data-import';
import type { SettingsPart } from '@app/domain/settings/settings-facts';
import { readBusinessHours } from '@app/domain/conversations/inbox-settings';
import { findUnstorableText } from '@app/domain/text/storable-text';
import { z } from 'zod';
import { changeGeneralSettings, type GeneralChange } from '../settings/change-general-settings.ts';
import { findGeneralSettings } from '../settings/general-settings.ts';
import {
  changeMessagingSettings,
  findMessagingSettings,
  type MessagingChange,
} from '../settings/messaging-settings.ts';
import { canonicalJson } from '../platform/canonical-json.ts';
import type { Jobs } from '../platform/jobs/enqueue-job.ts';
import type { ReadScope, WorkspaceScope } from '../platform/workspace-scope.ts';

/** Profiles of numbers are those of this installation alone; a file of elsewhere shortens no time here, and says nothing of what people are told. */
type Part = Exclude<SettingsPart, 'numbers' | 'retention' | 'notices'>;

/** What was set before, of one part; `version` is the one that it has since. */
export type SettingsBefore = {
  part: Part;
  version: number;
  was: Record<string, unknown>;
};

type Values = Record<string, unknown>;

/** Business hours in a file from when a day had one span. */
const plainHours = z.strictObject({
  timeZone: z.string(),
  days: z.array(z.strictObject({ from: z.string(), to: z.string() }).nullable()),
  holidays: z.array(z.string()),
});

const LONGEST_NAME = 80;

/** A logo is named by an id, which means nothing elsewhere. */
const SHAPES = {
  general: general.omit({ logo: true }).shape,
  messaging: messaging.shape,
};

/**
 * Takes the settings of a file, each by itself, as they could be saved by hand. Where what is here wins, only a part that nobody ever saved is
 * taken. A try changes nothing.
 */
export async function adoptSettings(
  scope: WorkspaceScope,
  jobs: Jobs,
  given: unknown,
  rules: ImportRules,
): Promise<{ adopted: Adoption<never>[]; before: SettingsBefore[] }> {
  const file: Values = Object(given);
  const adopted: Adoption<never>[] = [];
  const before: SettingsBefore[] = [];
  for (const part of ['general', 'messaging'] as const) {
    const { version, ...now } = await readPart(scope, part);
    const offered: Values =
      part === 'general' ? file : { ...readPlainReply(file, now), ...Object(file['messaging']) };
    const read = readOffered(part, offered, now);
    const mayChange = rules.prefers === 'file' || version === 0;
    adopted.push(
      ...read.map(({ name, is }): Adoption<never> => ({
        ...{
          row: 0,
          name,
          outcome: is === 'different' ? (mayChange ? 'changed' : 'kept') : is,
        },
        ...(is === 'refused' && { problem: 'invalid' }),
      })),
    );
    const changes = Object.fromEntries(
      read.flatMap(({ name, is, value }) => (is === 'different' ? [[name, value]] : [])),
    );
    if (rules.isDryRun || !mayChange || Object.keys(changes).length === 0) continue;
    const was = Object.fromEntries(Object.keys(changes).map((name) => [name, now[name]]));
    before.push({
      part,
      version: await savePart(scope, jobs, { part, version, changes }),
      was,
    });
  }
  adopted.push(...findUnknown(file));
  return { adopted, before };
}

/** Takes that back, unless somebody saved since. Answers with how many parts stayed. */
export async function giveBackSettings(
  scope: WorkspaceScope,
  jobs: Jobs,
  adopted: readonly SettingsBefore[],
): Promise<number> {
  let stayed = 0;
  for (const { part, version, was } of adopted) {
    const now = await readPart(scope, part);
    if (now.version === version) await savePart(scope, jobs, { part, version, changes: was });
    else stayed += 1;
  }
  return stayed;
}

/** A file that was written by hand, or by a smaller product, may say the automatic reply in two plain words. */
function readPlainReply(file: Values, now: Values): Values {
  const { autoReplyEnabled: isEnabled, autoReplyMessage: message } = file;
  const isSaid = typeof message === 'string' ? message.trim() !== '' : message !== undefined;
  if (isEnabled === undefined && !isSaid) return {};
  return {
    autoReply: {
      ...Object(now['autoReply']),
      ...(isEnabled !== undefined && { isEnabled }),
      ...(isSaid && { message }),
    },
  };
}

const PLAIN_REPLY = ['autoReplyEnabled', 'autoReplyMessage'];
const OF_NUMBERS = kindList.flatMap(({ fileNames }) => fileNames.settings);

/** What stands among the settings of the file and is not taken: nothing is dropped without a word. */
function findUnknown(file: Values): Adoption<never>[] {
  const isKnown = (name: string) =>
    name === 'messaging' || Object.hasOwn(SHAPES.general, name) || PLAIN_REPLY.includes(name);
  const names = [
    ...Object.keys(file).filter((name) => !isKnown(name)),
    ...Object.keys(Object(file['messaging'])).filter((name) => !Object.hasOwn(SHAPES.messaging, name)),
  ];
  return names.map((name) => ({
    ...{ row: 0, name: name.replaceAll('\0', '').toWellFormed().slice(0, LONGEST_NAME), outcome: 'refused' },
    problem: OF_NUMBERS.includes(name) ? 'number_connected' : 'unknown_setting',
  }));
}

type Read = {
  name: string;
  is: 'same' | 'different' | 'refused';
  value?: unknown;
};

function readOffered(part: Part, offered: Values, now: Values): Read[] {
  return Object.entries(SHAPES[part]).flatMap(([name, schema]): Read[] => {
    if (!Object.hasOwn(offered, name)) return [];
    const read = schema.safeParse(asOfToday(name, offered[name]));
    if (!read.success || findUnstorableText(read.data).length > 0) return [{ name, is: 'refused' }];
    const isSame = canonicalJson(read.data) === canonicalJson(now[name]);
    return [{ name, is: isSame ? 'same' : 'different', value: read.data }];
  });
}

function asOfToday(name: string, value: unknown): unknown {
  const plain = name === 'businessHours' ? plainHours.safeParse(value) : null;
  return plain?.success ? readBusinessHours(plain.data) : value;
}

async function readPart(scope: ReadScope, part: Part): Promise<Values & { version: number }> {
  return part === 'general' ? findGeneralSettings(scope) : findMessagingSettings(scope);
}

/** Answers with the version that it has since. */
async function savePart(
  scope: WorkspaceScope,
  jobs: Jobs,
  { part, version, changes }: { part: Part; version: number; changes: Values },
): Promise<number> {
  // Each value was read by the contract, or stood here.
  const saved =
    part === 'general'
      ? await changeGeneralSettings(scope, jobs, {
          ...changes,
          version,
        } as GeneralChange)
      : await changeMessagingSettings(scope, {
          ...changes,
          version,
        } as MessagingChange);
  // The next try of the act reads them anew.
  if (typeof saved === 'string') throw new Error('The settings were saved meanwhile.');
  return saved.version;
}
