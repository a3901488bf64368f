import { FileText, Plus } from 'lucide-react';
import type { ConnectionKind } from '@app/domain/templates/platform-status';
import { NoRows } from '../../shared/lists/no-rows.tsx';
import { useListPage } from '../../shared/lists/use-list-page.ts';
import { t } from '../../shared/messages.ts';
import { OfflineSearchNote } from '../../shared/offline/offline-search-note.tsx';
import { can } from '../../shared/session.ts';
import { Button } from '../../ui/button.tsx';
import { CardList } from '../../ui/table/card-list.tsx';
import { TemplateCard, type TemplateAct } from './template-card.tsx';
import { templateFailureText } from './template-words.ts';
import { findKeptTemplates, isSubmittable, listOptions, readTemplatesSearch } from './templates-queries.ts';
import type { Template } from './templates-queries.ts';

/** The cards on the screen, with what they are. */
export type TemplateList = ReturnType<typeof useTemplateList>;

export const useTemplateList = () =>
  useListPage({
    read: readTemplatesSearch,
    filters: ['category', 'status'],
    options: listOptions,
    find: findKeptTemplates,
    failureText: templateFailureText,
  });

export function TemplatesGrid({
  templates,
  connection,
  onAct,
}: {
  templates: TemplateList;
  connection: ConnectionKind;
  onAct: (act: TemplateAct, template: Template) => void;
}) {
  return (
    <>
      <OfflineSearchNote searched={templates.searched} />
      <CardList
        {...templates.shown}
        label={t('templates.list')}
        moreLabel={t('templates.loadMore')}
        empty={<NoTemplates templates={templates} />}
        hasPicture
      >
        {(template) => (
          <TemplateCard
            key={template.id}
            template={template}
            canSubmit={isSubmittable(template, connection)}
            onAct={onAct}
          />
        )}
      </CardList>
    </>
  );
}

function NoTemplates({ templates }: { templates: TemplateList }) {
  const mayCreate = can('templates:create');
  return (
    <NoRows
      list={templates}
      title={t('templates.empty')}
      noMatch={t('templates.noMatch')}
      clearLabel={t('templates.clearFilters')}
      text={t(mayCreate ? 'templates.emptyText' : 'templates.emptyReadOnly')}
      icon={<FileText />}
      action={mayCreate ? <CreateButton templates={templates} /> : undefined}
    />
  );
}

export function CreateButton({ templates }: { templates: TemplateList }) {
  return (
    <Button
      variant="primary"
      icon={<Plus aria-hidden />}
      onClick={() => templates.setUrl({ dialog: 'new' }, { push: true })}
    >
      {t('templates.create')}
    </Button>
  );
}
