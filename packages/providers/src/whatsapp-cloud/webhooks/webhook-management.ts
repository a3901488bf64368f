import type { AccountVerdict } from '@app/domain/channels/account-verdict';
import type { AccountEvent, InboundEvent, NumberEvent } from '@app/domain/messaging/inbound-event';
import { isRecord, type JsonRecord, listOf, recordOf, textOf } from '../json-reading.ts';
import { managementKey, type WebhookSource } from './webhook-source.ts';

type Severity = AccountEvent['severity'];

/** Events about templates, the account and its numbers; undefined for a field or shape that we do not know. */
export function readManagementEvent(source: WebhookSource, value: JsonRecord): InboundEvent | undefined {
  switch (source.field) {
    case 'message_template_status_update':
    case 'message_template_quality_update':
    case 'message_template_components_update':
    case 'template_category_update':
    case 'template_correct_category_detection':
      return readTemplateEvent(source, value);
    case 'account_update':
    case 'account_review_update':
    case 'account_alerts':
    case 'business_capability_update':
      return readAccountEvent(source, value);
    case 'account_settings_update':
    case 'automatic_events':
    case 'business_status_update':
    case 'flows':
    case 'messaging_handovers':
    case 'partner_solutions':
    case 'payment_configuration_update':
    case 'standby':
    case 'tracking_events':
      return (textOf(value['event']) ?? textOf(value['status'])) === null
        ? undefined
        : readAccountEvent(source, value);
    case 'phone_number_quality_update':
    case 'phone_number_name_update':
    case 'security':
    case 'business_username_update':
      return readNumberEvent(source, value);
    default:
      return undefined;
  }
}

function readTemplateEvent(source: WebhookSource, value: JsonRecord): InboundEvent | undefined {
  const templateId = textOf(value['message_template_id']);
  if (templateId === null) return undefined;
  const base = {
    ...describeSource(source, value),
    templateId,
    templateName: textOf(value['message_template_name']) ?? '',
    language: (textOf(value['message_template_language']) ?? '').replace('-', '_'),
  };
  switch (source.field) {
    case 'message_template_status_update': {
      const status = textOf(value['event']);
      if (status === null) return undefined;
      const reason = textOf(value['reason']);
      const rejection = recordOf(value['rejection_info']);
      const other = recordOf(value['other_info']);
      return {
        ...base,
        type: 'template_status_changed',
        status: status.toUpperCase(),
        reason: textOf(rejection['reason']) ?? (reason === 'NONE' ? null : reason) ?? textOf(other['title']),
        recommendation: textOf(rejection['recommendation']) ?? textOf(other['description']),
        category: textOf(value['message_template_category'])?.toLowerCase() ?? null,
      };
    }
    case 'message_template_quality_update': {
      const quality = textOf(value['new_quality_score']);
      if (quality === null) return undefined;
      const previousQuality = textOf(value['previous_quality_score']);
      return { ...base, type: 'template_quality_changed', previousQuality, quality };
    }
    case 'message_template_components_update':
      return {
        ...base,
        type: 'template_components_changed',
        header: textOf(value['message_template_title']),
        body: textOf(value['message_template_element']),
        footer: textOf(value['message_template_footer']),
        buttons: listOf(value['message_template_buttons'])
          .filter(isRecord)
          .map((button) => ({
            type: textOf(button['message_template_button_type']) ?? '',
            text: textOf(button['message_template_button_text']) ?? '',
            url: textOf(button['message_template_button_url']),
            phoneNumber: textOf(button['message_template_button_phone_number']),
          })),
      };
    default: {
      // A notice names the right category beside the present one; a change names the one before.
      const correct = textOf(value['correct_category']);
      const category = correct ?? textOf(value['new_category']);
      if (category === null) return undefined;
      const previous =
        correct === null ? value['previous_category'] : (value['new_category'] ?? value['category']);
      return {
        ...base,
        type: 'template_category_changed',
        stage: correct === null ? 'changed' : 'notice',
        previousCategory: textOf(previous)?.toLowerCase() ?? null,
        category: category.toLowerCase(),
      };
    }
  }
}

function readAccountEvent(source: WebhookSource, value: JsonRecord): AccountEvent {
  const alert = recordOf(value['alert_info']);
  const ban = recordOf(value['ban_info']);
  const restrictions = listOf(value['restriction_info'])
    .map((entry) => textOf(recordOf(entry)['restriction_type']))
    .filter((type) => type !== null);
  const event =
    textOf(value['event']) ??
    textOf(value['decision']) ??
    textOf(alert['alert_type']) ??
    textOf(value['status']) ??
    source.field.toUpperCase();
  const banState = textOf(ban['waba_ban_state']);
  return {
    ...describeSource(source, value),
    type: 'account_event',
    field: source.field,
    event,
    verdict: readVerdict(event, banState, restrictions, source.field),
    severity: readSeverity(textOf(alert['alert_severity'])) ?? accountSeverity(event, banState),
    about: aboutOf(source.field),
    description:
      textOf(alert['alert_description']) ??
      textOf(value['message']) ??
      banState ??
      textOf(recordOf(value['violation_info'])['violation_type']) ??
      (restrictions.join(', ') || null),
  };
}

function aboutOf(field: string): AccountEvent['about'] {
  if (field === 'flows') return 'form';
  return field === 'payment_configuration_update' ? 'payment' : 'account';
}

function readVerdict(
  event: string,
  banState: string | null,
  restrictions: readonly string[],
  field: string,
): AccountVerdict | null {
  switch (event) {
    case 'DISABLED_UPDATE':
      if (banState === 'REINSTATE') return 'reinstated';
      return banState === 'SCHEDULE_FOR_DISABLE' ? 'ban_planned' : 'banned';
    case 'ACCOUNT_DELETED':
      return 'deleted';
    case 'ACCOUNT_VIOLATION':
      return 'violation';
    case 'ACCOUNT_RESTRICTION': {
      const ofCampaigns = restrictions.includes('RESTRICTED_BIZ_INITIATED_MESSAGING');
      const ofReplies = restrictions.includes('RESTRICTED_CUSTOMER_INITIATED_MESSAGING');
      if (ofCampaigns && ofReplies) return 'restricted';
      if (ofCampaigns) return 'campaigns_restricted';
      return ofReplies ? 'replies_restricted' : 'partly_restricted';
    }
    case 'REJECTED':
      return field === 'account_review_update' ? 'review_failed' : null;
    default:
      return null;
  }
}

function readNumberEvent(source: WebhookSource, value: JsonRecord): NumberEvent {
  const event = textOf(value['event']) ?? textOf(value['decision']) ?? textOf(value['status']) ?? '';
  const isWarning = ['FLAGGED', 'DOWNGRADE', 'REJECTED', 'PIN_RESET_REQUEST', 'PIN_CHANGED'].includes(event);
  return {
    ...describeSource(source, value),
    type: 'number_event',
    field: source.field,
    event: event.toUpperCase(),
    displayName: textOf(value['display_phone_number']),
    severity: isWarning ? 'warning' : 'information',
    description:
      textOf(value['rejection_reason']) ??
      textOf(value['current_limit']) ??
      textOf(value['max_daily_conversations_per_business']) ??
      textOf(value['requested_verified_name']) ??
      textOf(value['username']),
  };
}

function describeSource(source: WebhookSource, value: JsonRecord) {
  return {
    dedupKey: managementKey(source, value),
    occurredAt: source.entryTime,
    account: source.wabaId,
    address: source.phoneNumberId,
    raw: value,
  };
}

function accountSeverity(event: string, banState: string | null): Severity {
  if (banState === 'REINSTATE') return 'information';
  if (['DISABLED_UPDATE', 'ACCOUNT_DELETED', 'ACCOUNT_RESTRICTION'].includes(event)) return 'critical';
  if (['ACCOUNT_VIOLATION', 'ACCOUNT_OFFBOARDED', 'REJECTED', 'PARTNER_REMOVED'].includes(event))
    return 'warning';
  return 'information';
}

function readSeverity(word: string | null): Severity | undefined {
  switch (word) {
    case 'CRITICAL':
      return 'critical';
    case 'WARNING':
      return 'warning';
    case 'INFORMATIONAL':
      return 'information';
    default:
      return undefined;
  }
}
