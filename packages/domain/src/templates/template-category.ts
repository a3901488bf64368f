import type { TemplateCategory } from '../messaging/channel-template.ts';
import type { TemplateCategoryName } from './template.ts';

/** Marketing unless the category promises otherwise: opt-outs hold for everything that may be advertising. */
export function platformCategory(category: TemplateCategoryName): TemplateCategory {
  return category === 'utility' || category === 'reminder' || category === 'support'
    ? 'utility'
    : 'marketing';
}

/** The platform's own judgement counts where there is one: it may take a utility template for marketing. */
export function isMarketingCategory(template: {
  category: TemplateCategoryName;
  platformCategory: string | null;
}): boolean {
  return (template.platformCategory ?? platformCategory(template.category)).toLowerCase() === 'marketing';
}
