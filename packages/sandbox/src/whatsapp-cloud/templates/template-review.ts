import type { JsonObject } from '../../core/json.ts';
import type { Platform } from '../platform.ts';
import type { Template } from '../store.ts';
import { hasAdjacentVariables } from './template-rules.ts';
import { templateIdentity, templateStatusValue } from '../webhook-payloads.ts';

/** Decides on a template after the set delay, by its name and content; the same name always fares the same. */
export function reviewLater(platform: Platform, template: Template): void {
  if (template.name.includes('_slow')) return;
  platform.later(platform.behaviour.reviewDelayMs, () => {
    if (platform.store.templates.get(template.id) !== template || template.status !== 'PENDING') return;
    if (template.name.includes('_reject') || hasAdjacentVariables(template.components)) {
      return setTemplateStatus(platform, template, 'REJECTED', {
        rejection_info: {
          reason: 'The template does not follow the format rules',
          recommendation: 'Check variables, formatting and examples, then send it again',
        },
      });
    }
    if (template.category === 'UTILITY' && template.name.includes('_promo')) {
      template.previousCategory = 'UTILITY';
      template.category = 'MARKETING';
    }
    setTemplateStatus(platform, template, 'APPROVED');
  });
}

/** Sets a status and announces it, as the platform does. */
export function setTemplateStatus(
  platform: Platform,
  template: Template,
  status: string,
  more: JsonObject = {},
): void {
  template.status = status;
  template.rejectedReason = status === 'REJECTED' ? 'INVALID_FORMAT' : 'NONE';
  const account = platform.store.accounts.get(template.accountId);
  if (!account) return;
  const value = templateStatusValue(template, status, more);
  platform.sendAccountWebhook(
    account,
    'message_template_status_update',
    value,
    `template ${template.name}: ${status}`,
  );
}

export function setTemplateQuality(platform: Platform, template: Template, score: string): void {
  const value = {
    previous_quality_score: template.qualityScore,
    new_quality_score: score,
    ...templateIdentity(template),
  };
  template.qualityScore = score;
  const account = platform.store.accounts.get(template.accountId);
  if (!account) return;
  platform.sendAccountWebhook(
    account,
    'message_template_quality_update',
    value,
    `template ${template.name}: ${score}`,
  );
}

export function setTemplateCategory(
  platform: Platform,
  template: Template,
  category: Template['category'],
): void {
  const value = {
    ...templateIdentity(template),
    previous_category: template.category,
    new_category: category,
  };
  template.previousCategory = template.category;
  template.category = category;
  const account = platform.store.accounts.get(template.accountId);
  if (!account) return;
  platform.sendAccountWebhook(
    account,
    'template_category_update',
    value,
    `template ${template.name}: ${category}`,
  );
}
