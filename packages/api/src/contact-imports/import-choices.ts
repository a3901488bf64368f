import { duplicateRules } from '@app/domain/contact-imports/contact-import';
import { readStatedConsent } from '@app/domain/contact-imports/import-consent';
import { isByPlace, readTarget, type ImportMapping } from '@app/domain/contact-imports/import-mapping';
import { readTagCell } from '@app/domain/contact-imports/tag-cell';
import { cleanTags, contactLimits } from '@app/domain/contacts/contact';
import { readPhoneCountry } from '@app/domain/contacts/phone-country';
import { twofoldReadings } from '@app/domain/contacts/ambiguous-number';
import { isUuid } from '@app/domain/uuid';
import { readSwitch } from '../platform/http-edge/read-switch.ts';
import { fileEncodings } from './reading/file-encoding.ts';
import type { ImportChoices } from './import-run.ts';

type Misunderstood = { field: string; problem: string };

/**
 * `duplicates=skip|update`, `dryRun=1`, `country=DE` for numbers without a country code, `twofold=home|international` for those of
 * them that can be numbers of another country with its code, and `mapping` as JSON: heading
 * of the file to column of ours, to `firstName` or `lastName`, to `otherPhone`, to `consent` or `optOut`, or to `custom:` and the key of a field;
 * or a list of these in the order of the columns, with null for those that are ignored. `headings=0`: the first row is a contact, too.
 * `consentStated=1`: the caller states that whoever the file says yes for agreed to get marketing; of a column that speaks of SMS or mail only
 * `consentStated=every-channel` says so. `agreedWhere` and `agreedOn` state that everybody in the file agreed. `tags` are given to everybody.
 * `encoding=windows-1250` says in which letters a text file is written, where that should not be guessed.
 * `insteadOf` is an import of the same file, whose new contacts stay as they are.
 */
export function readChoices(query: URLSearchParams, now: Date): ImportChoices | Misunderstood {
  const wrong = (field: string, problem: string): Misunderstood => ({ field, problem });
  const duplicates = duplicateRules.find((rule) => rule === (query.get('duplicates') ?? 'skip'));
  if (!duplicates) return wrong('duplicates', 'It is `skip` or `update`.');
  const mapping = readMapping(query.get('mapping'));
  if (mapping === null)
    return wrong('mapping', 'It names a column that contacts do not have, or is no JSON.');
  const country = readPhoneCountry(query.get('country') ?? '');
  if (query.has('country') && !country) return wrong('country', 'It is two letters such as `DE`.');
  const twofold = twofoldReadings.find((reading) => reading === (query.get('twofold') ?? 'international'));
  if (!twofold) return wrong('twofold', 'It is `international` or `home`.');
  const tags = cleanTags(readTagCell(query.get('tags') ?? ''));
  if (tags.length > contactLimits.tags || tags.some((tag) => tag.length > contactLimits.tag))
    return wrong('tags', `At most ${contactLimits.tags} tags of ${contactLimits.tag} characters.`);
  const encoding = query.get('encoding') ?? undefined;
  if (encoding !== undefined && encoding !== 'mixed' && !fileEncodings.includes(encoding))
    return wrong('encoding', 'It is one such as `windows-1250`.');
  const isHeadless = query.get('headings') === '0';
  if (isHeadless && !(mapping && isByPlace(mapping)))
    return wrong('mapping', 'Without headings it is a list, in the order of the columns.');
  const statedConsent = query.has('agreedWhere')
    ? readStatedConsent(query.get('agreedWhere') ?? '', query.get('agreedOn') ?? '', now)
    : undefined;
  if (query.has('agreedWhere') && !statedConsent)
    return wrong('agreedWhere', 'Say where they agreed, and in `agreedOn` on which day, such as 2026-11-21.');
  const insteadOf = query.get('insteadOf') ?? undefined;
  if (insteadOf !== undefined && !isUuid(insteadOf)) return wrong('insteadOf', 'It is the id of an import.');
  const isDryRun = readSwitch(query, 'dryRun');
  if (isDryRun === null) return wrong('dryRun', 'It is `1` or `0`.');
  const stated = query.get('consentStated');
  const coversOtherChannels = stated === 'every-channel';
  return {
    encoding,
    ...{ duplicates, mapping, country, twofold, tags, isHeadless, statedConsent, coversOtherChannels },
    insteadOf,
    isDryRun,
    isConsentStated: stated === '1' || coversOtherChannels,
    sheet: query.get('sheet') ?? undefined,
  };
}

/** Null where it cannot be understood. */
function readMapping(text: string | null): ImportMapping | null | undefined {
  if (text === null) return undefined;
  try {
    const mapping: unknown = JSON.parse(text);
    if (Array.isArray(mapping)) {
      const targets = mapping.map((column) => (column === null ? null : readTarget(column)));
      return targets.every((target) => target !== undefined) ? targets : null;
    }
    const entries = Object.entries<unknown>(Object(mapping)).map(([heading, column]) => [
      heading,
      readTarget(column),
    ]);
    return entries.every(([, column]) => column) ? Object.fromEntries(entries) : null;
  } catch {
    return null;
  }
}
