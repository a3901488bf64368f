import type { TemplateCategoryName, TemplateLanguage, TemplateStatus } from '@app/domain/templates/template';
import type { TemplateCheck } from '@app/domain/templates/template-checks';
import type { TemplateFault } from '@app/domain/templates/template-rules';
import { readFailure } from '../../shared/api.ts';
import { failureText } from '../../shared/failure-text.ts';
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

export function languageLabel(language: TemplateLanguage): string {
  return t(`templates.language.${language}`);
}

export function statusLabel(status: TemplateStatus): string {
  return t(`templates.${status}`);
}

export const statusTones: Record<TemplateStatus, BadgeTone> = {
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
export function templateFailureText(error: unknown): string {
  const { code, values } = readFailure(error);
  switch (code) {
    case 'template_not_found':
      return t('templates.error.notFound');
    case 'template_in_use':
      return t('templates.error.inUse', { campaign: values.campaign ?? '' });
    case 'template_changed':
      return t('templates.form.changedTitle');
    case 'template_status_by_platform':
      return t('templates.error.statusByPlatform');
    case 'template_language_fixed':
      return t('templates.error.languageFixed');
    case 'template_refused':
      return t('templates.error.refused', { reason: values.reason ?? '' });
    case 'platform_unreachable':
      return t('templates.error.unreachable');
    case 'channel_not_connected':
      return t('templates.error.notConnected');
    case 'media_not_found':
      return t('templates.error.mediaMissing');
    default:
      return failureText(error);
  }
}
