import { reportViewErrors } from './analytics/report-view-errors.ts';
import { apiKeyErrors } from './api-keys/api-key-errors.ts';
import { authErrors } from './auth/auth-errors.ts';
import { workflowErrors } from './automation/workflow-errors.ts';
import { bulkMessageErrors } from './bulk-message/bulk-message-errors.ts';
import { campaignErrors } from './campaigns/campaign-errors.ts';
import { channelErrors } from './channels/channel-errors.ts';
import { chatbotErrors } from './chatbot/chatbot-errors.ts';
import { contactErrors } from './contacts/contact-errors.ts';
import { conversionErrors } from './conversions/conversion-errors.ts';
import { conversationErrors } from './conversations/conversation-errors.ts';
import { customFieldErrors } from './custom-fields/custom-field-errors.ts';
import { dataManagementErrors } from './data-management/data-management-errors.ts';
import { integrationErrors } from './integrations/integration-errors.ts';
import { mediaErrors } from './media/media-errors.ts';
import { operationErrors } from './operations/operation-errors.ts';
import { quickReplyErrors } from './quick-replies/quick-reply-errors.ts';
import { rcsErrors } from './rcs/rcs-errors.ts';
import { segmentErrors } from './segments/segment-errors.ts';
import { teamErrors } from './teams/team-errors.ts';
import { templateErrors } from './templates/template-errors.ts';
import { userErrors } from './users/user-errors.ts';
import { webhookEndpointErrors } from './webhook-endpoints/webhook-endpoint-errors.ts';

/**
 * Every error of the API: its HTTP status and an English sentence for those who call the API by hand.
 * The web has its own sentence per code in its message catalogues.
 * A feature declares its errors in its own folder; here stand those that belong to no feature.
 */
export const errorTable = {
  ...reportViewErrors,
  ...integrationErrors,
  ...quickReplyErrors,
  ...rcsErrors,
  ...workflowErrors,
  ...webhookEndpointErrors,
  ...apiKeyErrors,
  ...authErrors,
  ...contactErrors,
  ...dataManagementErrors,
  ...conversationErrors,
  ...conversionErrors,
  ...customFieldErrors,
  ...segmentErrors,
  ...templateErrors,
  ...mediaErrors,
  ...userErrors,
  ...teamErrors,
  ...campaignErrors,
  ...bulkMessageErrors,
  ...channelErrors,
  ...chatbotErrors,
  ...operationErrors,

  host_unknown: {
    status: 421,
    message: 'This server does not accept this host name. Add it to PUBLIC_URL or ALLOWED_HOSTS.',
  },
  cross_site_request: { status: 403, message: 'Requests from other sites are rejected.' },
  signed_out: { status: 401, message: 'Please sign in.' },
  workspace_not_found: { status: 404, message: 'There is no such workspace.' },
  FORBIDDEN: { status: 403, message: 'You may not do this.' },
  address_unknown: { status: 404, message: 'There is nothing at this address.' },
  body_too_large: { status: 413, message: 'The request is too large.' },
  server_busy: { status: 503, message: 'The server is busy. Please try again in a moment.' },
  storage_full: { status: 507, message: 'No storage is left for files on this server.' },
  database_away: { status: 503, message: 'The database cannot be reached. Please try again in a moment.' },
  database_full: {
    status: 507,
    message: 'The disk of the database is full. Nothing was changed. Free some space, then try again.',
  },
  database_read_only: {
    status: 503,
    message: 'The database is read-only at the moment. Nothing was changed. Please try again later.',
  },
  body_too_slow: { status: 408, message: 'The request took too long to arrive.' },
  body_too_complex: { status: 422, message: 'The request is nested too deeply, or has too many parts.' },
  body_malformed: { status: 400, message: 'The request could not be read.' },
  method_not_allowed: { status: 405, message: 'This address does not support this method.' },
  range_unsatisfiable: { status: 416, message: 'The requested range is not in the file.' },
  body_interrupted: { status: 400, message: 'The request ended before it was complete.' },
  internal: { status: 500, message: 'Something went wrong on our side.' },
  webhook_unsigned: { status: 401, message: 'The signature is wrong.' },
  webhook_token_wrong: { status: 403, message: 'The verify token is wrong.' },
  invalid_input: { status: 422, message: 'Please correct the marked fields.' },

  too_many_streams: {
    status: 429,
    message: 'Too many downloads or live streams are open. Please try again in a moment.',
  },
  too_many_requests: { status: 429, message: 'Too many requests with this API key.' },

  too_many_enquiries: { status: 429, message: 'Too many messages. Please try again later.' },

  idempotency_key_required: {
    status: 400,
    message:
      'This request needs an Idempotency-Key header of 8 to 200 characters. Use a new key for each request.',
  },
  idempotency_key_reused: { status: 409, message: 'This idempotency key was used for a different request.' },
  idempotency_answer_gone: {
    status: 409,
    message: 'This request was already executed; its answer is no longer stored.',
  },
  outcome_unknown: {
    status: 409,
    message:
      'It is unknown whether this request took effect. Check first; a request with a new key is executed again.',
  },

  settings_changed: { status: 409, message: 'Someone else changed the settings in the meantime.' },

  notification_not_found: { status: 404, message: 'There is no such notification.' },
  browser_not_found: { status: 404, message: 'There is no such browser.' },
  session_not_found: { status: 404, message: 'There is no such session.' },
  session_is_current: { status: 409, message: 'The current session cannot be ended here. Sign out instead.' },
} as const satisfies Record<string, { status: number; message: string }>;

export type ErrorCode = keyof typeof errorTable;
