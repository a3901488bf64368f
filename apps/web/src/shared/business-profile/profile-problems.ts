import { readEmailAddress } from '@app/domain/contacts/contact';
import { generalLimits, readWebsite, type BusinessProfile } from '@app/domain/settings/general-settings';
import { t } from '../messages.ts';

/** What the server would refuse, by field; empty when it takes all of it. */
export function problemsOfProfile(values: BusinessProfile): Partial<Record<string, string>> {
  const email = values.email.trim();
  const isEmail = email === '' || (readEmailAddress(email) === email && email.length <= generalLimits.email);
  const found: [string, string | undefined][] = [
    ...(['about', 'address', 'description'] as const).map((name): [string, string | undefined] => [
      name,
      problemOfLength(values[name], generalLimits[name]),
    ]),
    ['email', isEmail ? undefined : t('settings.emailWrong')],
    ...values.websites.map((website, at): [string, string | undefined] => [
      `website${at}`,
      website.trim() === '' || readWebsite(website) !== null ? undefined : t('settings.websiteWrong'),
    ]),
  ];
  return Object.fromEntries(found.filter(([, problem]) => problem !== undefined));
}

/** Undefined for what is short enough. */
export function problemOfLength(text: string, longest: number): string | undefined {
  return text.trim().length > longest ? t('settings.tooLong', { n: longest }) : undefined;
}

/** What is sent: a website that nobody wrote is none. */
export function writtenProfile<Values extends Pick<BusinessProfile, 'websites'>>(values: Values): Values {
  return { ...values, websites: values.websites.map((website) => website.trim()).filter(Boolean) };
}
