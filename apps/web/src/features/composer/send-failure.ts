import { failureTextOf } from '../../shared/failure-text.ts';

/** Why a message was not taken, in words that say what to do. */
export const sendFailureText = failureTextOf({
  window_closed: 'composer.error.windowClosed',
  contact_blocked: 'composer.error.blocked',
  contact_has_no_number: 'composer.error.noNumber',
  contact_opted_out: 'composer.error.optedOut',
  contact_held: 'composer.error.held',
  channel_stopped: 'composer.error.stopped',
  channel_not_connected: 'composer.error.notConnected',
  daily_limit_reached: 'composer.error.dailyLimit',
  message_not_found: 'composer.error.quotedGone',
  template_not_approved: 'composer.error.templateNotApproved',
});
