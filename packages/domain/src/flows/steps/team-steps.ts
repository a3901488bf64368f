import { noteLimits } from '../../conversations/note-rules.ts';
import { DONE_OR_FAILED, textOf, type StepType } from '../step-type.ts';

const ofTeam = { kinds: ['workflow', 'bot'], group: 'team' } as const;

/** Gives the conversation of the contact to a member, to a team, or back to nobody. It is opened where there is none. */
export const assignConversation: StepType = {
  ...{ type: 'assign_conversation', ...ofTeam, needsContact: true },
  fields: [
    {
      ...{ name: 'to', kind: 'choice', isRequired: true, initial: 'team' },
      options: ['team', 'user', 'nobody'],
    },
    { name: 'team', kind: 'team', isRequired: true, when: { field: 'to', is: ['team'] } },
    { name: 'user', kind: 'user', isRequired: true, when: { field: 'to', is: ['user'] } },
    { name: 'channel', kind: 'channel' },
  ],
  exits: () => DONE_OR_FAILED,
  values: () => [],
  enter: ({ config, state }) => ({
    ask: 'assign_conversation',
    request: {
      teamId: config['to'] === 'team' ? textOf(config, 'team') : null,
      userId: config['to'] === 'user' ? textOf(config, 'user') : null,
      channelId: config['channel'] ?? state.trigger['channel_id'] ?? null,
    },
  }),
};

/** A note for members in the conversation of the contact; the contact never sees it. */
export const addNote: StepType = {
  ...{ type: 'add_note', ...ofTeam, needsContact: true },
  fields: [
    { name: 'text', kind: 'long_text', isRequired: true, takesValues: true },
    { name: 'channel', kind: 'channel' },
  ],
  exits: () => DONE_OR_FAILED,
  values: () => [],
  enter({ config, state }) {
    const body = textOf(config, 'text').trim();
    if (body === '') return { fail: 'text_empty' };
    return {
      ask: 'add_note',
      request: {
        body: body.slice(0, noteLimits.body),
        channelId: config['channel'] ?? state.trigger['channel_id'] ?? null,
      },
    };
  },
};

/** A mail server that is away is tried again for about a day. */
const MAIL_WAIT_MS = 26 * 60 * 60_000;

/** A mail to members, in the name of the installation: contacts get none. */
export const emailNotification: StepType = {
  ...{ type: 'email_notification', ...ofTeam, needsContact: false },
  fields: [
    {
      ...{ name: 'to', kind: 'choice', isRequired: true, initial: 'owner' },
      options: ['owner', 'user', 'team', 'assignee'],
    },
    { name: 'user', kind: 'user', isRequired: true, when: { field: 'to', is: ['user'] } },
    { name: 'team', kind: 'team', isRequired: true, when: { field: 'to', is: ['team'] } },
    { name: 'subject', kind: 'text', isRequired: true, takesValues: true },
    { name: 'text', kind: 'long_text', isRequired: true, takesValues: true },
  ],
  exits: () => DONE_OR_FAILED,
  values: () => [],
  enter: ({ config }) => ({
    ask: 'email_notification',
    request: {
      to: textOf(config, 'to'),
      id: config['to'] === 'team' ? textOf(config, 'team') : textOf(config, 'user'),
      // A line break would begin another header.
      subject: textOf(config, 'subject').replace(/\s+/g, ' ').trim().slice(0, 200),
      text: textOf(config, 'text'),
    },
    waitMs: MAIL_WAIT_MS,
  }),
};
