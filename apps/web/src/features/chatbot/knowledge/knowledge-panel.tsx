import { useQuery } from '@tanstack/react-query';
import { BookOpen } from 'lucide-react';
import { Suspense } from 'react';
import { t } from '../../../shared/messages.ts';
import { useUrlState } from '../../../shared/url-state.ts';
import { Button } from '../../../ui/button.tsx';
import { lazyDialog } from '../../../ui/overlays/lazy-dialog.tsx';
import { Panel } from '../../../ui/page-frame.tsx';
import { readChatbotSearch } from '../chatbot-queries.ts';
import { knowledgeCountOptions } from './knowledge-queries.ts';

const KnowledgeDrawer = lazyDialog(async () => (await import('./knowledge-drawer.tsx')).KnowledgeDrawer);

/** How much the bot may answer from, and the way to it. */
export function KnowledgePanel() {
  const [{ dialog, words }, setUrl] = useUrlState(readChatbotSearch);
  const { data } = useQuery(knowledgeCountOptions);
  return (
    <Panel title={t('chatbot.knowledge.title')} purpose={t('chatbot.knowledge.text')}>
      <div className="flex flex-wrap items-center gap-3">
        <Button
          icon={<BookOpen aria-hidden />}
          onClick={() => setUrl({ dialog: 'knowledge' }, { push: true })}
        >
          {t('chatbot.knowledge.open')}
        </Button>
        {data ? (
          <span className="text-sm text-muted">{t('chatbot.knowledge.count', { n: data.total })}</span>
        ) : null}
      </div>
      {dialog === 'knowledge' ? (
        <Suspense>
          <KnowledgeDrawer
            {...(words !== '' && { question: words })}
            onClose={() => setUrl({ dialog: undefined, words: undefined })}
          />
        </Suspense>
      ) : null}
    </Panel>
  );
}
