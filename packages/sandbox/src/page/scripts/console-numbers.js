import { api, button, element, notify } from './dom.js';
import { refresh } from './state.js';

/** What the platform's own staff decides about a number: each a switch, by its name in `POST /_sandbox/whatsapp/numbers/{id}`. */
const SWITCHES = {
  quality: {
    label: 'Quality',
    options: { GREEN: 'high (green)', YELLOW: 'medium (yellow)', RED: 'low (red)', UNKNOWN: 'not rated' },
  },
  status: {
    label: 'State',
    options: {
      ...{ CONNECTED: 'connected', PENDING: 'being set up', DISCONNECTED: 'not registered' },
      ...{ FLAGGED: 'flagged', RESTRICTED: 'restricted', RATE_LIMITED: 'sent too fast', BANNED: 'banned' },
      ...{ UNVERIFIED: 'not verified', OFFLINE: 'offline', MIGRATED: 'moved to another account' },
    },
  },
  health: {
    label: 'May send',
    options: { USUAL: 'as its state says', LIMITED: 'less', BLOCKED: 'nothing' },
  },
  limit: {
    label: 'People a day',
    options: {
      ...{ TIER_50: '50', TIER_250: '250', TIER_2K: '2,000', TIER_10K: '10,000', TIER_100K: '100,000' },
      TIER_UNLIMITED: 'any number',
    },
  },
  throughputMps: {
    label: 'Messages a second',
    options: { null: 'as usual', 5: '5', 80: '80', 1000: '1,000' },
    read: (value) => (value === 'null' ? null : Number(value)),
  },
  nameStatus: {
    label: 'Name that people see',
    options: { APPROVED: 'approved', PENDING_REVIEW: 'in review', DECLINED: 'declined', EXPIRED: 'expired' },
  },
};

/** One number with everything that can be decided about it, and what it waits for. */
export function describeNumber(number, copied) {
  return element(
    'div',
    { className: 'number' },
    copied,
    element(
      'div',
      { className: 'grid' },
      ...Object.entries(SWITCHES).map(([name, rules]) => switchOf(number, name, rules)),
    ),
    element('p', { className: 'hint', text: waitsFor(number) }),
  );
}

function switchOf(number, name, { label, options, read = (value) => value }) {
  const id = `${name}-${number.id}`;
  const select = element('select', {
    id,
    on: {
      change: () =>
        api('POST', `/_sandbox/whatsapp/numbers/${number.id}`, { [name]: read(select.value) }).then(refresh),
    },
  });
  const value = String(number[name]);
  // What was set by another way than this page is shown as it is.
  const all = value in options ? options : { ...options, [value]: value };
  select.append(
    ...Object.entries(all).map(([option, text]) =>
      element('option', { value: option, text, selected: option === value }),
    ),
  );
  return element('label', { title: name, htmlFor: id }, label, select);
}

function waitsFor({ isVerified, isRegistered, hasPin }) {
  if (!isVerified)
    return 'Nobody verified it yet: any code of the platform is 123456. Then it is registered with a PIN of six digits of your choice.';
  if (!isRegistered)
    return `It is verified and not registered: ${hasPin ? 'the PIN it had before lets it send again.' : 'any PIN of six digits lets it send, and is asked for from then on.'}`;
  return hasPin
    ? 'It is registered. Registering it again needs the same PIN.'
    : 'It is registered without a PIN: the next registration sets one, of six digits.';
}

/** A number that somebody has just bought: nobody verified or registered it. */
export function addFreshNumber(account) {
  return button(
    'Add a number to be verified',
    async () => {
      const digits = String(crypto.getRandomValues(new Uint32Array(1))[0] % 1000).padStart(3, '0');
      const made = await api('POST', '/_sandbox/whatsapp/numbers', {
        ...{ businessAccountId: account.id, appId: account.appId, accessToken: account.accessToken },
        verifiedName: account.name,
        ...{ displayPhoneNumber: `+44 7700 900${digits}`, isVerified: false },
        subscribed: account.isSubscribed,
      });
      if (made) notify('It is in the list of the product as well: verify it with the code 123456.');
      await refresh();
    },
    { id: `fresh-${account.id}` },
  );
}
