import { knowledgeLimits } from '@app/domain/chatbot/knowledge/knowledge-rules';
import { useState, type FormEvent, type ReactNode } from 'react';
import { useAction } from '../../../shared/actions/use-action.ts';
import { api } from '../../../shared/api.ts';
import { t } from '../../../shared/messages.ts';
import { Button } from '../../../ui/button.tsx';
import { Field } from '../../../ui/field.tsx';
import { Input, Textarea } from '../../../ui/input.tsx';
import { Banner } from '../../../ui/states.tsx';
import { knowledgeError, type KnowledgeEntry } from './knowledge-queries.ts';

type Ends = { onSaved: (title: string) => void; onCancel: () => void };

/** A question with its answer, new or changed. */
export function PairForm({
  entry,
  question: initial,
  onSaved,
  onCancel,
}: Ends & { entry: KnowledgeEntry | null; question: string }) {
  const [question, setQuestion] = useState(initial);
  const [answer, setAnswer] = useState(entry?.answer ?? '');
  const save = useAction({
    mutationFn: () => {
      const pair = { question: question.trim(), answer: answer.trim() };
      return entry
        ? api.botKnowledge.update({ knowledgeId: entry.id, version: entry.version, ...pair })
        : api.botKnowledge.create(pair);
    },
    onSuccess: ({ title }) => onSaved(title),
  });
  return (
    <FormFrame
      label={t('chatbot.knowledge.addPair')}
      isReady={question.trim() !== '' && answer.trim() !== ''}
      isSaving={save.isPending}
      error={save.error}
      onSubmit={() => save.mutate()}
      onCancel={onCancel}
    >
      <Field label={t('chatbot.knowledge.question')} required>
        <Input
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- a press has opened the form
          autoFocus
          maxLength={knowledgeLimits.question}
          value={question}
          onChange={(event) => setQuestion(event.currentTarget.value)}
        />
      </Field>
      <Field label={t('chatbot.knowledge.answer')} required>
        <Textarea
          rows={4}
          maxLength={knowledgeLimits.answer}
          value={answer}
          onChange={(event) => setAnswer(event.currentTarget.value)}
        />
      </Field>
    </FormFrame>
  );
}

/** A web page, which is read before it is added. */
export function AddressForm({ onSaved, onCancel }: Ends) {
  const [url, setUrl] = useState('');
  const save = useAction({
    mutationFn: () => api.botKnowledge.createFromAddress({ url: url.trim() }),
    onSuccess: ({ title }) => onSaved(title),
  });
  return (
    <FormFrame
      label={t('chatbot.knowledge.addPage')}
      isReady={/^https?:\/\/\S+$/i.test(url.trim())}
      isSaving={save.isPending}
      error={save.error}
      onSubmit={() => save.mutate()}
      onCancel={onCancel}
    >
      <Field label={t('chatbot.knowledge.address')} hint={t('chatbot.knowledge.addressHint')} required>
        <Input
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- a press has opened the form
          autoFocus
          type="url"
          dir="ltr"
          autoComplete="off"
          placeholder="https://example.com"
          value={url}
          onChange={(event) => setUrl(event.currentTarget.value)}
        />
      </Field>
    </FormFrame>
  );
}

function FormFrame({
  label,
  isReady,
  isSaving,
  error,
  onSubmit,
  onCancel,
  children,
}: {
  label: string;
  isReady: boolean;
  isSaving: boolean;
  error: unknown;
  onSubmit: () => void;
  onCancel: () => void;
  children: ReactNode;
}) {
  return (
    <form
      noValidate
      aria-label={label}
      className="flex flex-col gap-3 rounded-card border border-border p-3"
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        event.stopPropagation();
        if (isReady && !isSaving) onSubmit();
      }}
    >
      {error ? <Banner tone="danger">{knowledgeError(error)}</Banner> : null}
      {children}
      <div className="flex justify-end gap-2">
        <Button disabled={isSaving} onClick={onCancel}>
          {t('common.cancel')}
        </Button>
        <Button type="submit" variant="primary" loading={isSaving} disabled={!isReady}>
          {t('chatbot.knowledge.save')}
        </Button>
      </div>
    </form>
  );
}
