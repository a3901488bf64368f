/** Errors of connections to a platform, see `errorTable`. */
export const channelErrors = {
  platform_unreachable: { status: 424, message: 'The messaging platform could not be reached. Try again.' },
  channel_not_connected: {
    status: 409,
    message: 'No number is connected. Connect one in Settings, then send again.',
  },
  chosen_number_off: {
    status: 409,
    message: 'The selected number is not connected. Connect it again or select another one.',
  },
  channel_not_found: { status: 404, message: 'There is no such channel.' },
  channel_without_agent: { status: 422, message: 'This channel has no agent.' },
  channel_changed: { status: 409, message: 'Someone else changed this connection in the meantime.' },
  channel_exists: { status: 409, message: 'This number is already connected.' },
  channel_number_fixed: {
    status: 409,
    message: 'The number of a connection cannot be changed. Connect the other number as well.',
  },
  connection_incomplete: {
    status: 422,
    message: 'Missing required credentials. Please fill in all fields.',
  },
  connection_refused: {
    status: 422,
    message: 'Failed to save configuration. Please check your credentials.',
  },
  platform_refused: { status: 422, message: 'The platform rejected this request.' },
  webhook_unreachable: {
    status: 422,
    message: 'The platform could not reach the webhook address, or got a wrong answer.',
  },
} as const;
