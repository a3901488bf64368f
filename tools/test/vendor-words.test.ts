import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../child-process.ts';

/** Words of one vendor. Beside its folder the product speaks of channels, addresses and what they can do. */
const WORDS =
  /whatsapp|facebook|graph[-_ ]?(base|url|api|version|origin)|\bgraph\.|phone_?number_?id|waba|\bwa_?id\b|\bhub\.(mode|challenge|verify)|x-hub-signature|wamid/i;
const PRODUCT = /WhatsApp Marketing Pro/g;

/** A kind of channel lives here, and the stand-in of its platform. */
const OWN = ['packages/providers/src/whatsapp-cloud/', 'packages/sandbox/'];
/** What was released stays as it was. */
const HISTORY = ['packages/database/src/migrations/'];

const REASONS: Record<string, string> = {
  'apps/server/src/channel-kinds.ts': 'the list of kinds',
  'apps/server/src/sample/sample-content.ts': 'the number of the sample workspace',
  'apps/web/src/app/dev-ui/state-samples.tsx': 'a sentence of the specification, as a sample',
  'packages/api/src/contact-merges/join-contacts.ts':
    'who joined two contacts, by name: a name needs no other language',
  'packages/api/src/dashboard/read-health.ts': 'a sentence that is on its way to the catalogues',
  'packages/api/src/sending/campaign-words.ts': 'sentences that are on their way to the catalogues',
  'packages/domain/src/messaging/delivery-error-messages.ts':
    'sentences that are on their way to the catalogues',
  'packages/api/src/data-management/adopt-settings.ts': 'settings that people’s files name',
  'packages/domain/src/contact-imports/import-headings.ts': 'headings that people write in their files',
  'packages/domain/src/contact-imports/import-consent.ts': 'headings that people write in their files',
};

test('no file beside those of a vendor knows its words', () => {
  expect(findVendorWords(root).filter((file) => !Object.hasOwn(REASONS, file))).toEqual([]);
});

test('every file with a reason still needs it', () => {
  const found = findVendorWords(root);
  expect(Object.keys(REASONS).filter((file) => !found.includes(file))).toEqual([]);
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
    plant('packages/api/src/inbox/fits.ts', 'export const paragraph = 1;');
    expect(findVendorWords(folder)).toEqual([
      'apps/server/src/asks.ts',
      'apps/web/src/features/inbox/bubble.tsx',
      'packages/api/src/inbox/if-kind.ts',
      'packages/api/src/inbox/reads-column.ts',
      'packages/domain/src/inbox/event.ts',
    ]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

function findVendorWords(folder: string): string[] {
  return globSync('{apps,packages}/*/src/**/*.{ts,tsx,sql}', { cwd: folder })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => ![...OWN, ...HISTORY].some((own) => file.startsWith(own)))
    .filter((file) => !/\.test\.tsx?$/.test(file))
    .filter((file) => WORDS.test(readFileSync(join(folder, file), 'utf8').replaceAll(PRODUCT, '')))
    .toSorted();
}
