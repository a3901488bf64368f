import { knowledgeFileTypes, knowledgeLimits } from '@app/domain/chatbot/knowledge/knowledge-rules';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import {
  BookOpen,
  FileText,
  FileUp,
  Globe,
  MessageCircleQuestion,
  Plus,
  RefreshCw,
  Trash2,
} from 'lucide-react';
import { useState } from 'react';
import { useAction } from '../../../shared/actions/use-action.ts';
import { api, newKey, orpc } from '../../../shared/api.ts';
import { errorMessage } from '../../../shared/error-message.ts';
import { formatDateTime } from '../../../shared/formats.ts';
import { t } from '../../../shared/messages.ts';
import { can } from '../../../shared/session.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { FileButton } from '../../../ui/controls/file-button.tsx';
import { useConfirm } from '../../../ui/overlays/confirm.tsx';
import { Drawer } from '../../../ui/overlays/dialog.tsx';
import { Banner, EmptyState, ErrorState, Skeleton, SkeletonRegion } from '../../../ui/states.tsx';
import { LoadMore } from '../../../ui/table/load-more.tsx';
import { notify } from '../../../ui/toast.ts';
import { AddressForm, PairForm } from './knowledge-forms.tsx';
import {
  knowledgeError,
  knowledgeOptions,
  uploadKnowledge,
  type KnowledgeEntry,
} from './knowledge-queries.ts';

const KIND_ICONS = { pair: MessageCircleQuestion, file: FileText, address: Globe };
type Form = { kind: 'pair'; entry: KnowledgeEntry | null; question: string } | { kind: 'address' };

/** What the bot may answer from: questions with answers, files and pages. */
export function KnowledgeDrawer({ question, onClose }: { question?: string; onClose: () => void }) {
  const mayAdd = can('campaigns:create');
  const [form, setForm] = useState<Form | null>(
    question !== undefined && mayAdd ? { kind: 'pair', entry: null, question } : null,
  );
  const queryClient = useQueryClient();
  const list = useInfiniteQuery(knowledgeOptions);
  const renew = () => queryClient.invalidateQueries({ queryKey: orpc.botKnowledge.key() });
  const upload = useAction({
    mutationFn: (file: File) => uploadKnowledge(newKey(), file),
    onSuccess: ({ title }) => notify.success(t('chatbot.knowledge.added', { title })),
    onSettled: renew,
  });
  const entries = list.data?.pages.flatMap(({ items }) => items) ?? [];
  const done = async (title: string) => {
    notify.success(t('chatbot.knowledge.added', { title }));
    setForm(null);
    await renew();
  };
  return (
    <Drawer
      open
      size="medium"
      keepOpenOnOutsidePress={form !== null}
      onOpenChange={(open) => (open ? undefined : onClose())}
      title={t('chatbot.knowledge.title')}
      description={t('chatbot.knowledge.text')}
    >
      <div className="flex flex-col gap-4">
        {mayAdd && form === null ? (
          <div className="flex flex-wrap gap-2">
            <Button
              variant="primary"
              icon={<Plus aria-hidden />}
              onClick={() => setForm({ kind: 'pair', entry: null, question: '' })}
            >
              {t('chatbot.knowledge.addPair')}
            </Button>
            <FileButton
              accept={knowledgeFileTypes.map((type) => `.${type}`).join(',')}
              label={t('chatbot.knowledge.addFile')}
              icon={<FileUp aria-hidden />}
              loading={upload.isPending}
              onFile={(file) => upload.mutate(file)}
            >
              {t('chatbot.knowledge.addFile')}
            </FileButton>
            <Button icon={<Globe aria-hidden />} onClick={() => setForm({ kind: 'address' })}>
              {t('chatbot.knowledge.addPage')}
            </Button>
          </div>
        ) : null}
        {upload.error ? <Banner tone="danger">{knowledgeError(upload.error)}</Banner> : null}
        {form?.kind === 'pair' ? (
          <PairForm
            entry={form.entry}
            question={form.question}
            onSaved={(title) => void done(title)}
            onCancel={() => setForm(null)}
          />
        ) : form ? (
          <AddressForm onSaved={(title) => void done(title)} onCancel={() => setForm(null)} />
        ) : null}
        {list.isError && !list.data ? (
          <ErrorState text={errorMessage(list.error)} onRetry={() => void list.refetch()} />
        ) : !list.data ? (
          <SkeletonRegion className="grid gap-2">
            <Skeleton className="h-14" />
            <Skeleton className="h-14" />
          </SkeletonRegion>
        ) : entries.length === 0 ? (
          form === null ? (
            <EmptyState
              icon={<BookOpen />}
              title={t('chatbot.knowledge.none')}
              text={t('chatbot.knowledge.noneText')}
            />
          ) : null
        ) : (
          <ul className="divide-y divide-border">
            {entries.map((entry) => (
              <Entry
                key={entry.id}
                entry={entry}
                onEdit={() => setForm({ kind: 'pair', entry, question: entry.title })}
                onChanged={renew}
              />
            ))}
          </ul>
        )}
        {list.hasNextPage ? (
          <LoadMore
            label={t('chatbot.knowledge.more')}
            loading={list.isFetchingNextPage}
            onReached={() => void list.fetchNextPage()}
          />
        ) : null}
        <p className="text-sm text-muted">
          {t('chatbot.knowledge.limits', { n: Math.round(knowledgeLimits.file / 1024 / 1024) })}
        </p>
      </div>
    </Drawer>
  );
}

function Entry({
  entry,
  onEdit,
  onChanged,
}: {
  entry: KnowledgeEntry;
  onEdit: () => void;
  onChanged: () => Promise<unknown>;
}) {
  const { id, kind, title, answer, url, problem, readAt } = entry;
  const confirm = useConfirm();
  const Icon = KIND_ICONS[kind];
  const readAgain = useAction({
    mutationFn: () => api.botKnowledge.readAgain({ knowledgeId: id }),
    onError: (error) => notify.error(knowledgeError(error)),
    onSettled: onChanged,
  });
  const remove = useAction({
    mutationFn: () => api.botKnowledge.remove({ knowledgeId: id }),
    onSuccess: () => notify.success(t('chatbot.knowledge.removed')),
    onError: (error) => notify.error(knowledgeError(error)),
    onSettled: onChanged,
  });
  async function askAndRemove() {
    const isSure = await confirm({
      title: t('chatbot.knowledge.removeTitle'),
      text: t('chatbot.knowledge.removeText', { title }),
      confirmLabel: t('common.delete'),
      danger: true,
    });
    if (isSure) remove.mutate();
  }
  return (
    <li className="flex items-start gap-3 py-3">
      <Icon aria-hidden className="mt-0.5 size-4 shrink-0 text-muted" />
      <div className="min-w-0 flex-1">
        {kind === 'pair' && can('campaigns:update') ? (
          <button
            type="button"
            className="text-left font-medium wrap-anywhere hover:underline"
            onClick={onEdit}
          >
            <bdi>{title}</bdi>
          </button>
        ) : (
          <p dir="auto" className="font-medium wrap-anywhere">
            {title}
          </p>
        )}
        <p dir="auto" className="line-clamp-3 text-sm whitespace-pre-line text-muted wrap-anywhere">
          {answer ?? url ?? t('chatbot.knowledge.letters', { n: entry.characters })}
        </p>
        {kind === 'address' ? (
          <p className="text-sm text-muted">
            {t('chatbot.knowledge.readAt', { at: formatDateTime(readAt) })}
          </p>
        ) : null}
        {problem ? <Banner tone="warning">{t(`chatbot.knowledge.problem.${problem}`)}</Banner> : null}
      </div>
      {kind === 'address' && can('campaigns:update') ? (
        <IconButton
          label={t('chatbot.knowledge.readAgain', { title })}
          disabled={readAgain.isPending}
          onClick={() => readAgain.mutate()}
        >
          <RefreshCw aria-hidden />
        </IconButton>
      ) : null}
      {can('campaigns:delete') ? (
        <IconButton
          label={t('chatbot.knowledge.remove', { title })}
          disabled={remove.isPending}
          onClick={() => void askAndRemove()}
        >
          <Trash2 aria-hidden />
        </IconButton>
      ) : null}
    </li>
  );
}
