import { useQuery } from '@tanstack/react-query';
import { Tag } from 'lucide-react';
import { conversationLimits } from '@app/domain/conversations/conversation-status';
import type { Conversation } from '../../shared/conversations/conversations-queries.ts';
import { LabelDot } from '../../shared/conversations/label-chip.tsx';
import { labelsOptions } from '../../shared/conversations/label-queries.ts';
import { t } from '../../shared/messages.ts';
import { WordButton } from '../../ui/controls/word-button.tsx';
import { notify } from '../../ui/toast.ts';
import { PickList } from './pick-list.tsx';
import { Picker, type PickerState } from './picker.tsx';
import type { useConversationActions } from './use-conversation-actions.ts';

type Props = PickerState & {
  conversation: Conversation;
  acts: ReturnType<typeof useConversationActions>;
};

/** The labels of a conversation. */
export function LabelPicker({ conversation, acts, ...state }: Props) {
  return (
    <Picker
      {...state}
      needsWide
      title={t('teamwork.labels')}
      trigger={
        <WordButton
          icon={<Tag aria-hidden />}
          label={t('teamwork.labels')}
          word={t('teamwork.labels.word')}
          from="large"
        />
      }
    >
      <Choice conversation={conversation} acts={acts} />
    </Picker>
  );
}

function Choice({ conversation: { labels }, acts }: Pick<Props, 'conversation' | 'acts'>) {
  const { data, isError } = useQuery(labelsOptions());
  const set = (next: string[]) => {
    if (next.length > conversationLimits.labels)
      notify.error(t('teamwork.tooManyLabels', { n: conversationLimits.labels }));
    else void acts.setLabels(next);
  };
  const known = data?.items ?? [];
  const all = [
    ...known,
    // One that was just added, or that others deleted meanwhile.
    ...labels
      .filter((name) => !known.some((label) => label.name === name))
      .map((name) => ({ id: name, name, colour: 'grey' as const })),
  ];
  return (
    <PickList
      label={t('teamwork.labelSearch')}
      emptyText={isError ? t('teamwork.notLoaded') : t('teamwork.noLabels')}
      picks={
        data || isError
          ? all.map(({ id, name, colour }) => ({
              ...{ id, name, isChosen: labels.includes(name) },
              icon: <LabelDot colour={colour} className="mx-1 size-2.5" />,
            }))
          : undefined
      }
      onPick={({ name }) =>
        set(labels.includes(name) ? labels.filter((label) => label !== name) : [...labels, name])
      }
      onAdd={(name) => set([...labels, name.slice(0, conversationLimits.label)])}
    />
  );
}
