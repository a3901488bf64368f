import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../child-process.ts';

/** Words of one vendor. Beside its folder the product speaks of channels, addresses and what they can do. */
const WORDS =
  /whatsapp|facebook|graph[-_ ]?(base|url|api|version|origin)|\bgraph\.|phone_?number_?id|waba|\bwa_?id\b|\bhub\.(mode|challenge|verify)|x-hub-signature|wamid/i;
const PRODUCT = 'WhatsApp Marketing Pro';
/** The first line of the product's name. */
const BRAND = /"common\.brand": \{[^}]*\}/g;

/** A kind of channel lives here: its client, its rules and texts, and the stand-in of its platform. */
const OWN = [
  'packages/providers/src/whatsapp-cloud/',
  'packages/domain/src/channel-kinds/whatsapp/',
  'packages/sandbox/',
  'apps/web/src/messages/whatsapp.json',
  'apps/web/src/shared/channel-kinds/whatsapp/',
];
/** Words of the platform of RCS, and any question whether a channel is one of it. That the product has RCS pages may be said everywhere. */
const RCS_WORDS =
  /\brbm\b|rcsbusinessmessaging|businesscommunications\.|postback_?data|agentMessages|x-goog-signature|\bstandaloneCard\b|[!=]==? ?['"]rcs['"]|['"]rcs['"] ?[!=]==?|case 'rcs'|\bkind (=|<>) 'rcs'/i;
/** The kind, and the pages about it with what they store. */
const RCS_OWN = [
  'packages/providers/src/rcs/',
  'packages/domain/src/channel-kinds/rcs/',
  'packages/domain/src/rcs/',
  'packages/contracts/src/rcs/',
  'packages/api/src/rcs/',
  'packages/sandbox/',
  'apps/web/src/features/rcs/',
  'apps/web/src/shared/channel-kinds/rcs/',
  'apps/web/src/messages/rcs',
];
/** One line for each kind, and nothing else. */
const LISTS = [
  'apps/server/src/channel-kinds.ts',
  'apps/web/src/shared/messages.ts',
  'apps/web/src/shared/channel-kinds/content-views.tsx',
  'packages/domain/src/channel-kinds/kind-list.ts',
  'packages/domain/src/channel-kinds/kind-texts.ts',
];
/** What was released stays as it was. */
const HISTORY = ['packages/database/src/migrations/'];
/** The way to a vendor's own pages, and what the product says about vendors in public. */
const ABOUT_VENDORS = ['apps/web/src/messages/connection.json', 'apps/web/src/messages/landing.json'];
const SPECIFIED = ['Connection successful! WhatsApp Business API is responding.'];

test('no file beside those of a vendor knows its words', () => {
  expect(findVendorWords(root)).toEqual([]);
});

test('nothing beside its own folders and pages asks whether a channel is one of RCS, or knows the words of its platform', () => {
  expect(findRcsWords(root)).toEqual([]);
});

test('a list of kinds names a vendor in one line for each list', () => {
  for (const file of LISTS) {
    const lines = readFileSync(join(root, file), 'utf8').split('\n');
    const naming = lines.filter((line) => isVendorsWord(line) && !line.startsWith('import '));
    expect([file, naming.length]).toEqual([file, 1]);
  }
});

test('a vendor’s word is found wherever it is planted', () => {
  const folder = mkdtempSync(join(tmpdir(), 'vendor-words-'));
  const plant = (file: string, text: string) => {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  };
  try {
    plant('packages/api/src/inbox/if-kind.ts', `if (channel.kind === 'whatsapp') send();`);
    plant('packages/api/src/inbox/reads-column.ts', 'SELECT phone_number_id FROM channels');
    plant('packages/domain/src/inbox/event.ts', 'export type Event = { wabaId: string };');
    plant('apps/web/src/features/inbox/bubble.tsx', 'export const WhatsAppBubble = null;');
    plant('apps/server/src/asks.ts', "fetch('https://graph.facebook.com')");
    plant('apps/web/src/shared/title.ts', "export const title = 'WhatsApp Marketing Pro';");
    plant('packages/providers/src/whatsapp-cloud/client.ts', 'phone_number_id');
    plant('packages/api/src/sending/if-rcs.ts', `if (channel.kind === 'rcs') send();`);
    plant('packages/delivery/src/pick.ts', "SELECT id FROM channels WHERE kind = 'rcs'");
    plant('apps/web/src/features/inbox/tap.ts', 'export type Tap = { postbackData: string };');
    plant('packages/providers/src/rcs/client.ts', 'agentMessages');
    plant('packages/domain/src/names.ts', "export const features = ['rcs'] as const;");
    plant('packages/api/src/inbox/fits.ts', 'export const paragraph = 1;');
    plant('apps/web/src/messages/inbox.json', '{ "inbox.hint": { "en": "On WhatsApp" } }');
    plant('apps/web/src/messages/ui.json', '{ "common.brand": { "en": "WhatsApp", "es": "WhatsApp" } }');
    expect(findVendorWords(folder)).toEqual([
      'apps/server/src/asks.ts',
      'apps/web/src/features/inbox/bubble.tsx',
      'apps/web/src/messages/inbox.json',
      'packages/api/src/inbox/if-kind.ts',
      'packages/api/src/inbox/reads-column.ts',
      'packages/domain/src/inbox/event.ts',
    ]);
    expect(findRcsWords(folder)).toEqual([
      'apps/web/src/features/inbox/tap.ts',
      'packages/api/src/sending/if-rcs.ts',
      'packages/delivery/src/pick.ts',
    ]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

function findVendorWords(folder: string): string[] {
  return filesBeside(folder, [...OWN, ...HISTORY])
    .filter((file) => ![...LISTS, ...ABOUT_VENDORS].includes(file))
    .filter((file) => isVendorsWord(readFileSync(join(folder, file), 'utf8')));
}

function findRcsWords(folder: string): string[] {
  return filesBeside(folder, [...RCS_OWN, ...HISTORY]).filter((file) =>
    RCS_WORDS.test(readFileSync(join(folder, file), 'utf8')),
  );
}

function filesBeside(folder: string, own: readonly string[]): string[] {
  return globSync('{apps,packages}/*/src/**/*.{ts,tsx,sql,json}', { cwd: folder })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => !own.some((start) => file.startsWith(start)) && !/\.test\.tsx?$/.test(file))
    .toSorted();
}

function isVendorsWord(text: string): boolean {
  return WORDS.test(
    [PRODUCT, BRAND, ...SPECIFIED].reduce((left: string, own) => left.replaceAll(own, ''), text),
  );
}
