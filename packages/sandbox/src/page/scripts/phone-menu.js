import { notify } from './dom.js';

/** How this phone and its owner's account are set, and what the owner tells the platform. */
export function menuOfPhone(phone) {
  const { owner, control, sheet } = phone;
  const isOpen = owner.windowEnd > Date.now();
  const set = (act, body, said) => async () => {
    if (await control(act, body)) notify(said);
  };
  sheet.choose('This phone', [
    [
      'Network',
      set(
        'online',
        { online: !owner.isOnline },
        owner.isOnline ? 'The phone has no network.' : 'The phone is back.',
      ),
      owner.isOnline,
    ],
    [
      'Read receipts',
      set('receipts', { on: !owner.tellsReading }, 'Read receipts are changed.'),
      owner.tellsReading,
    ],
    [
      'Number hidden',
      set('profile', { hidesNumber: !owner.hidesNumber }, 'From the next message on.'),
      owner.hidesNumber,
    ],
    [
      '24-hour window',
      set('window', { open: !isOpen }, isOpen ? 'The window is closed.' : 'The window is open.'),
      isOpen,
    ],
    [
      'Marketing',
      set(
        'preference',
        { value: owner.hasStoppedMarketing ? 'resume' : 'stop' },
        owner.hasStoppedMarketing ? 'Marketing resumed on this phone.' : 'Marketing stopped on this phone.',
      ),
      !owner.hasStoppedMarketing,
    ],
    ['Sign up for marketing', set('preference', { value: 'signup' }, 'Signed up for marketing.')],
    ['Call, nobody answers', set('call', {}, 'The business did not answer.')],
    ['Call of two minutes', set('call', { seconds: 120 }, 'The call is over.')],
    ['Name…', () => askProfile(phone)],
    ['New number…', () => askNumber(phone)],
    ['New user id', set('user-id', {}, 'The account has another user id.')],
    [
      'Block the business',
      set('block', { blocked: !owner.hasBlocked }, owner.hasBlocked ? 'No longer blocked.' : 'Blocked.'),
      owner.hasBlocked,
    ],
    owner.hasBlocked
      ? null
      : ['Block and report', set('block', { blocked: true, reported: true }, 'Blocked and reported.')],
  ]);
}

function askProfile({ owner, control, sheet }) {
  const fields = [
    ['name', 'Name', owner.name ?? ''],
    ['username', 'User name', owner.username ?? ''],
  ];
  sheet.ask('Name', fields, 'Save', ({ name, username }) =>
    control('profile', { ...(name ? { name } : {}), ...(username ? { username } : {}) }),
  );
}

function askNumber({ control, sheet, moved }) {
  sheet.ask(
    'New number',
    [['to', 'Number with country code', '+44 7700 900299']],
    'Change',
    async ({ to }) => {
      const answer = await control('number', { to });
      if (answer) await moved(answer.number);
    },
  );
}
