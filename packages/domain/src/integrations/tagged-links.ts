/** What a visit says of the campaign that it came from. */
export type CampaignParameters = { source: string; medium: string; campaign: string };

/** `channelKind` is that of the channel. */
export function campaignParametersOf({
  name,
  channelKind,
}: {
  name: string;
  channelKind: string;
}): CampaignParameters {
  return { source: channelKind, medium: 'messaging', campaign: campaignWord(name) };
}

/** A name as a word for addresses and reports: small letters and digits with dashes between, of any script; at most 100 characters. */
function campaignWord(name: string): string {
  const word = name
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-');
  return Array.from(word.replace(/^-+/, '')).slice(0, 100).join('').replace(/-+$/, '') || 'campaign';
}

/**
 * The address, as it is sent, with `utm_source`, `utm_medium` and `utm_campaign`. One that has any `utm_` parameter already was tagged by a person, and
 * stays as it is; so does what is no web address.
 */
export function tagLink(address: string, { source, medium, campaign }: CampaignParameters): string {
  if (!/^https?:\/\/[^/?#{}\s]+/i.test(address)) return address;
  const [, beforeHash = '', hash = ''] = /^([^#]*)(#.*)?$/s.exec(address) ?? [];
  const query = beforeHash.includes('?') ? beforeHash.slice(beforeHash.indexOf('?') + 1) : '';
  if (query.split('&').some((part) => /^utm_[a-z]+(=|$)/i.test(part))) return address;
  const tags = Object.entries({ utm_source: source, utm_medium: medium, utm_campaign: campaign })
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&');
  const joint = !beforeHash.includes('?') ? '?' : query === '' || beforeHash.endsWith('&') ? '' : '&';
  return `${beforeHash}${joint}${tags}${hash}`;
}
