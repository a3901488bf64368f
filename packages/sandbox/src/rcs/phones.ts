/** What a phone can show, as the platform names it. */
export const allFeatures = [
  ...['RICHCARD_STANDALONE', 'RICHCARD_CAROUSEL', 'ACTION_CREATE_CALENDAR_EVENT', 'ACTION_DIAL'],
  ...['ACTION_OPEN_URL', 'ACTION_SHARE_LOCATION', 'ACTION_VIEW_LOCATION', 'ACTION_OPEN_URL_IN_WEBVIEW'],
] as const;

export type PhoneBehaviour =
  | 'reachable'
  /** Messages wait until it is online, or their time to live is over. */
  | 'offline'
  /** No cards and no actions. */
  | 'text_only'
  | 'no_rcs'
  /** Its carrier has not launched the agent. */
  | 'not_launched'
  /** The first calls meet the quota. */
  | 'quota'
  /** The first calls meet a server that is down. */
  | 'server_error'
  | 'slow'
  /** Its messages arrive, and the agent is not told. */
  | 'silent';

/** Magic numbers: the last three digits of `+44 7700 900xxx` say how the phone behaves; every other number is reachable. */
export const magicEndings: Readonly<Record<string, PhoneBehaviour>> = {
  '901': 'offline',
  '902': 'text_only',
  '903': 'no_rcs',
  '904': 'not_launched',
  '905': 'quota',
  '906': 'server_error',
  '907': 'slow',
  '908': 'silent',
};

export function behaviourOf(msisdn: string): PhoneBehaviour {
  const ending = /^\+447700900(\d{3})$/.exec(msisdn)?.[1] ?? '';
  return (Object.hasOwn(magicEndings, ending) ? magicEndings[ending] : undefined) ?? 'reachable';
}

export function featuresOf(behaviour: PhoneBehaviour): readonly string[] {
  return behaviour === 'text_only' ? [] : allFeatures;
}

export function isPhoneNumber(text: string): boolean {
  return /^\+[1-9]\d{6,14}$/.test(text);
}
