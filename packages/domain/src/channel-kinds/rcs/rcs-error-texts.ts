/**
 * What to tell people about each error of RCS for Business: what happened and what to do next. The codes are statuses of the platform and of its sign-in,
 * and those of ours: `key_unreadable`, `agent_revoked`, `agent_suspended`, `agent_unlaunched`, `outside_hours`, `expired` and `expired_unknown`.
 */
export const rcsErrorTexts: Readonly<Record<string, string>> = {
  INVALID_ARGUMENT:
    'The platform did not take the message: a part is too long or missing, a file cannot be loaded from its address, or the phone cannot show it. Check its content, or send it as text.',
  FAILED_PRECONDITION: 'The agent cannot send at the moment. Look at its state at the platform.',
  UNAUTHENTICATED:
    'The platform did not accept the sign-in of the service account. Check the key file in the RCS settings.',
  PERMISSION_DENIED:
    'The agent may not write to this phone: it is not launched there, or the service account may not use it.',
  NOT_FOUND: 'This number cannot receive RCS messages, or its carrier has not launched the agent.',
  RESOURCE_EXHAUSTED: 'The agent sent faster than it may. The message goes out again at a lower rate.',
  INTERNAL: 'The platform had an error of its own. Try again later.',
  UNAVAILABLE: 'The platform is not available at the moment. Try again later.',
  invalid_grant:
    'The key of the service account was not accepted. Create a new key at the platform and enter its file in the RCS settings.',
  invalid_scope: 'The service account may not send messages. Ask the platform to allow it.',
  key_unreadable:
    'The key file of the service account cannot be read. Enter the whole file in the RCS settings.',
  agent_revoked:
    'The service account may not use this agent any more. Look at the agent at the platform, then test the connection in the RCS settings.',
  agent_suspended:
    'The platform suspended the agent. Nothing leaves until it is launched again; then everything goes on by itself. Ask the platform for the reason.',
  agent_unlaunched:
    'The agent is not launched with any carrier. Campaigns wait until it is; messages to test devices arrive.',
  outside_hours:
    'Promotional messages reach people in India from 7:00 to 22:00 of their time. A campaign sends this message then; a single message has to be sent again.',
  expired: 'The phone was not reached in time, and the message was taken back.',
  expired_unknown:
    'The phone was not reached in time. The platform could not say whether the message was taken back.',
};
