import {
  templateLanguages,
  type TemplateCategoryName,
  type TemplateStatus,
} from '@app/domain/templates/template';
import type { Rejection, SendObstacle } from '@app/domain/templates/platform-status';
import type { TemplateCheck } from '@app/domain/templates/template-checks';
import type { TemplateFault } from '@app/domain/templates/template-rules';
import { languageName } from '../../shared/contacts/contact-languages.ts';
import { errorMessageOf } from '../../shared/error-message.ts';
import { codeText, refusalOf } from '../../shared/languages/refusal-text.ts';
import { t } from '../../shared/messages.ts';
import type { BadgeTone } from '../../ui/badge.tsx';

export function categoryLabel(category: TemplateCategoryName): string {
  return t(`templates.category.${category}`);
}

const platformCategories = ['MARKETING', 'UTILITY', 'AUTHENTICATION'] as const;

/** The platform's own category; one that is new to us stays as the platform spells it. */
export function platformCategoryLabel(category: string): string {
  const known = platformCategories.find((word) => word === category);
  return known ? t(`templates.platformCategory.${known}`) : category;
}

export function languageLabel(language: string): string {
  const offered = templateLanguages.find((one) => one === language);
  return offered ? t(`templates.language.${offered}`) : languageName(language);
}

/** Why the platform turned it down: its reason in words, and below what it wrote, in its own language. What it wrote beside a code that we have words for is those words. */
export function rejectionText({ reason, code, text }: Rejection): string {
  const words = code === null ? undefined : codeText(code);
  if (words !== undefined) return words;
  return [
    reason === null ? '' : t(`templates.rejection.${reason}`),
    text === null ? '' : t('templates.rejectionSaid', { text }),
  ]
    .filter((line) => line !== '')
    .join('\n');
}

/** Whether it can be sent, in one word: `approved` is one that can. */
export function shownLabel(shown: SendObstacle | 'approved'): string {
  return isStatus(shown) ? statusLabel(shown) : t(`templates.shown.${shown}`);
}

export function shownTone(shown: SendObstacle | 'approved'): BadgeTone {
  if (isStatus(shown)) return statusTones[shown];
  return shown === 'archived' || shown === 'disabled' || shown === 'deleted' ? 'danger' : 'warning';
}

export function isStatus(shown: SendObstacle | 'approved'): shown is TemplateStatus {
  return shown in statusTones;
}

export function statusLabel(status: TemplateStatus): string {
  return t(`templates.${status}`);
}

const statusTones: Record<TemplateStatus, BadgeTone> = {
  approved: 'success',
  pending: 'warning',
  draft: 'neutral',
  rejected: 'danger',
};

export function faultText({ problem, limit }: Pick<TemplateFault, 'problem' | 'limit'>): string {
  return t(`templates.error.${problem}`, limit === undefined ? {} : { limit });
}

/** What to change; empty for a check that passed. */
export function adviceText({ advice, detail }: Pick<TemplateCheck, 'advice' | 'detail'>): string {
  return advice ? t(`templates.advice.${advice}`, { detail: detail ?? '' }) : '';
}

/** A sentence for any refusal of a template's change. */
export const templateErrorMessage = errorMessageOf({
  template_not_found: 'templates.error.notFound',
  template_in_use: (values) => t('templates.error.inUse', { campaign: values.campaign ?? '' }),
  template_changed: 'templates.form.changedTitle',
  template_status_by_platform: 'templates.error.statusByPlatform',
  template_language_fixed: 'templates.error.languageFixed',
  template_refused: (values) => t('templates.error.refused', { reason: refusalOf(values) }),
  platform_unreachable: 'templates.error.unreachable',
  channel_not_connected: 'templates.error.notConnected',
  media_not_found: 'templates.error.mediaMissing',
});
