import { classNames } from '../../../ui/class-names.ts';
import { languageName } from '../../../shared/contacts/contact-languages.ts';
import { t } from '../../../shared/messages.ts';
import type { ReactNode } from 'react';
import { inLanguageOrder, type TemplateGroup } from './template-groups.ts';
import type { Template } from './template-queries.ts';

/** The languages of a template, of which one is sent or shown; nothing where there is one alone. */
export function LanguageChoice({
  group,
  shown,
  onChoose,
  mark,
}: {
  group: TemplateGroup<Template>;
  shown: Template;
  onChoose: (templateId: string) => void;
  /** What stands before the name of each language, and is part of what it is called. */
  mark?: (template: Template) => ReactNode;
}) {
  if (group.length === 1) return null;
  return (
    <div
      role="group"
      aria-label={t('sending.message.languagesOf', { name: shown.name })}
      className="flex flex-wrap gap-1.5"
    >
      {inLanguageOrder(group).map((template) => (
        <button
          key={template.id}
          type="button"
          aria-pressed={template.id === shown.id}
          onClick={() => onChoose(template.id)}
          className={classNames(
            'inline-flex h-7 items-center gap-1.5 rounded-full border px-2.5 text-sm transition-colors',
            template.id === shown.id
              ? 'border-primary bg-primary-soft font-medium text-primary-text'
              : 'border-border bg-raised hover:border-control hover:bg-hover',
          )}
        >
          {mark?.(template)}
          {languageName(template.language)}
        </button>
      ))}
    </div>
  );
}
