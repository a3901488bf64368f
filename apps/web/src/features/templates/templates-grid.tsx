import { FileText, Plus } from 'lucide-react';
import { NoRows } from '../../shared/lists/no-rows.tsx';
import { namesOf } from '../../shared/lists/list-filters.ts';
import { useListPage } from '../../shared/lists/use-list-page.ts';
import { t } from '../../shared/messages.ts';
import { OfflineSearchNote } from '../../shared/offline/offline-search-note.tsx';
import { can } from '../../shared/session.ts';
import { Button } from '../../ui/button.tsx';
import { CardList } from '../../ui/table/card-list.tsx';
import { groupTemplates } from '../sending/message/template-groups.ts';
import { TemplateCard } from './template-card.tsx';
import { templateErrorMessage } from './template-words.ts';
import { findKeptTemplates, listOptions, readTemplatesSearch, templateFilters } from './templates-queries.ts';
import type { useTemplateActions } from './use-template-actions.tsx';

/** The cards on the screen, with what they are. */
export type TemplateList = ReturnType<typeof useTemplateList>;

export const useTemplateList = () =>
  useListPage({
    read: readTemplatesSearch,
    filters: namesOf(templateFilters),
    options: listOptions,
    find: findKeptTemplates,
    errorMessage: templateErrorMessage,
  });

export function TemplatesGrid({
  templates,
  actionsOn,
}: {
  templates: TemplateList;
  actionsOn: ReturnType<typeof useTemplateActions>;
}) {
  return (
    <>
      <OfflineSearchNote searched={templates.searched} />
      <CardList
        {...templates.shown}
        rows={groupTemplates(templates.shown.rows)}
        label={t('templates.list')}
        moreLabel={t('templates.loadMore')}
        empty={<NoTemplates templates={templates} />}
        hasPicture
      >
        {(group) => <TemplateCard key={group[0].id} group={group} actionsOn={actionsOn} />}
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
