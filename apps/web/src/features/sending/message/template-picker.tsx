import { FileText } from 'lucide-react';
import { useState } from 'react';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { MarkedText } from '../../../ui/phone/phone-preview.tsx';
import { SearchInput } from '../../../ui/table/search-input.tsx';
import { EmptyState, ErrorState, Skeleton, SkeletonRegion } from '../../../ui/states.tsx';
import { errorMessage } from '../../../shared/error-message.ts';
import { languageName } from '../../../shared/contacts/contact-languages.ts';
import { ButtonLink } from '../../../shared/links.tsx';
import { t, useLocale } from '../../../shared/messages.ts';
import { OfflineSearchNote } from '../../../shared/offline/offline-search-note.tsx';
import { paths } from '../../../shared/paths.ts';
import { useDebounced } from '../../../shared/use-debounced.ts';
import { LanguageChoice } from './language-choice.tsx';
import { groupTemplates, shownOf, type TemplateGroup } from './template-groups.ts';
import { useApprovedTemplates, type Template } from './template-queries.ts';

/** Approved templates as cards, of which one can be chosen; arrow keys move through them as through radios. */
export function TemplatePicker({
  value,
  onChange,
}: {
  value: string | null;
  onChange: (templateId: string) => void;
}) {
  const [search, setSearch] = useState('');
  const term = useDebounced(search.trim());
  const list = useApprovedTemplates(term);
  const { templates, searched } = list;

  return (
    <section aria-label={t('sending.message.templates')} className="flex min-w-0 flex-col gap-3">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <div>
          <h3 className="font-semibold">{t('sending.message.templates')}</h3>
          <p className="text-sm text-muted">{t('sending.message.templatesHint')}</p>
        </div>
        {templates.length > 6 || search !== '' ? (
          <SearchInput
            value={search}
            onChange={setSearch}
            placeholder={t('sending.message.searchTemplates')}
            className="w-full sm:w-60"
          />
        ) : null}
      </div>
      <OfflineSearchNote searched={searched} />
      {list.isPending && searched === undefined ? (
        <SkeletonRegion className={grid}>
          {Array.from({ length: 4 }, (_, index) => (
            <div key={index} className="h-32 rounded-card border border-border bg-raised p-3.5">
              <Skeleton className="w-2/5" />
              <Skeleton className="mt-4 h-3 w-full" />
              <Skeleton className="mt-2 h-3 w-4/5" />
            </div>
          ))}
        </SkeletonRegion>
      ) : list.isError && templates.length === 0 ? (
        <div className="rounded-card border border-border bg-raised">
          <ErrorState className="py-8" text={errorMessage(list.error)} onRetry={() => void list.refetch()} />
        </div>
      ) : templates.length === 0 && searched !== 0 ? (
        <div className="rounded-card border border-border bg-raised">
          <EmptyState
            className="py-8"
            icon={<FileText />}
            title={t('sending.message.noTemplates')}
            text={term === '' ? t('sending.message.noTemplatesText') : t('sending.message.noTemplatesMatch')}
            action={
              term === '' ? (
                <ButtonLink to={paths.templates}>{t('sending.message.goToTemplates')}</ButtonLink>
              ) : undefined
            }
          />
        </div>
      ) : (
        <div role="radiogroup" aria-label={t('sending.message.templates')} className={grid}>
          {groupTemplates(templates).map((group) => (
            <TemplateChoice key={group[0].id} group={group} value={value} onChange={onChange} />
          ))}
        </div>
      )}
      {list.hasNextPage ? (
        <Button
          className="self-center"
          loading={list.isFetchingNextPage}
          onClick={() => void list.fetchNextPage()}
        >
          {t('sending.message.moreTemplates')}
        </Button>
      ) : null}
    </section>
  );
}

function TemplateChoice({
  group,
  value,
  onChange,
}: {
  group: TemplateGroup<Template>;
  value: string | null;
  onChange: (templateId: string) => void;
}) {
  const language = useLocale();
  const template = shownOf(group, { chosenId: value, language });
  const chosen = template.id === value;
  return (
    <div
      className={classNames(
        'relative flex min-w-0 flex-col gap-2 rounded-card border bg-raised p-3.5 transition-colors has-[input:focus-visible]:outline-2 has-[input:focus-visible]:outline-offset-2 has-[input:focus-visible]:outline-(--ring)',
        chosen
          ? 'border-primary bg-primary-soft inset-ring inset-ring-primary'
          : 'border-border hover:border-control',
      )}
    >
      <label className="flex min-w-0 flex-1 cursor-pointer flex-col gap-2">
        <span className="flex items-start gap-2">
          <input
            type="radio"
            name="template"
            checked={chosen}
            onChange={() => onChange(template.id)}
            className="mt-0.5 size-4 shrink-0 accent-primary outline-none"
          />
          <span className="min-w-0 flex-1 font-medium wrap-anywhere">{template.name}</span>
          <span className="flex shrink-0 gap-1">
            <Badge>{t(`sending.message.category.${template.category}`)}</Badge>
            {group.length === 1 ? <Badge>{languageName(template.language)}</Badge> : null}
          </span>
        </span>
        <span className="line-clamp-3 pl-6 text-sm text-pretty whitespace-pre-line wrap-anywhere">
          <MarkedText text={template.content} />
        </span>
      </label>
      <div className="pl-6 empty:hidden">
        <LanguageChoice group={group} shown={template} onChoose={onChange} />
      </div>
    </div>
  );
}

const grid = 'grid grid-cols-[repeat(auto-fill,minmax(min(100%,16rem),1fr))] gap-3';
