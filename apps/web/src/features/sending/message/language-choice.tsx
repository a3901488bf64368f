import { classNames } from '../../../ui/class-names.ts';
import { formatLanguage } from '../../../shared/formats.ts';
import { t } from '../../../shared/messages.ts';
import type { TemplateGroup } from './template-groups.ts';
import type { Template } from './template-queries.ts';

/** The languages that a template is approved in, of which one is sent; nothing where there is one alone. */
export function LanguageChoice({
  group,
  shown,
  onChoose,
}: {
  group: TemplateGroup<Template>;
  shown: Template;
  onChoose: (templateId: string) => void;
}) {
  if (group.length === 1) return null;
  return (
    <div
      role="group"
      aria-label={t('sending.message.languagesOf', { name: shown.name })}
      className="flex flex-wrap gap-1.5"
    >
      {group.map(({ id, language }) => (
        <button
          key={id}
          type="button"
          aria-pressed={id === shown.id}
          onClick={() => onChoose(id)}
          className={classNames(
            'inline-flex h-7 items-center rounded-full border px-2.5 text-sm transition-colors',
            id === shown.id
              ? 'border-primary bg-primary-soft font-medium text-primary-text'
              : 'border-border bg-raised hover:border-control hover:bg-hover',
          )}
        >
          {formatLanguage(language)}
        </button>
      ))}
    </div>
  );
}
