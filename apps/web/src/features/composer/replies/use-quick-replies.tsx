import {
  fillQuickReply,
  rankQuickReplies,
  readQuickReplyValues,
  type QuickReplyFacts,
} from '@app/domain/quick-replies/quick-reply';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { orpc } from '../../../shared/api.ts';
import { useCustomFields } from '../../../shared/contacts/custom-fields.ts';
import { quickRepliesOptions, type QuickReply } from '../../../shared/conversations/quick-replies.ts';
import { useLiveQuery } from '../../../shared/live/use-live-query.ts';
import { activeLocale, t } from '../../../shared/messages.ts';
import { useSession } from '../../../shared/session.ts';
import type { Suggestion } from '../field/suggestion-list.tsx';

const MOST_SHOWN = 50;

/** A quick reply with what stands for its variables with this contact; null stands for what nobody knows. */
export type FilledReply = { reply: QuickReply; values: Map<string, string | null>; text: string };

/** What fits what is typed behind the slash; undefined while it is not known. */
export function useQuickReplies(contactId: string, typed: string | null): FilledReply[] | undefined {
  const isOn = typed !== null;
  const { data } = useQuery({ ...quickRepliesOptions, enabled: isOn });
  useLiveQuery(['quick-replies'], [quickRepliesOptions.queryKey], { isOn });
  const facts = useFacts(contactId, isOn);
  return useMemo(() => {
    if (!data || typed === null || !facts) return undefined;
    return rankQuickReplies(data.items, typed)
      .slice(0, MOST_SHOWN)
      .map((reply) => {
        const values = readQuickReplyValues(reply.text, {
          ...facts,
          language: reply.language ?? facts.language,
        });
        return { reply, values, text: fillQuickReply(reply.text, values) };
      });
  }, [data, typed, facts]);
}

function useFacts(contactId: string, isOn: boolean): QuickReplyFacts | undefined {
  const session = useSession();
  const contact = useQuery({
    ...orpc.contacts.get.queryOptions({ input: { contactId } }),
    enabled: isOn,
  }).data;
  const customFields = useCustomFields();
  return useMemo(() => {
    if (!contact || session.status !== 'signed-in') return undefined;
    const { name, phone, email, customFields: customValues } = contact;
    return {
      person: { name, phone: phone ?? '', email, customValues },
      customFields: customFields ?? [],
      agentName: `${session.user.firstName} ${session.user.lastName}`.trim(),
      businessName: session.workspace.businessName,
      language: activeLocale(),
    };
  }, [contact, customFields, session]);
}

/** A row of the list: the shortcut, what it is called, and what would be sent. */
export function replySuggestion({ reply, values, text }: FilledReply): Suggestion {
  const missing = [...values].filter(([, value]) => value === null).map(([name]) => `{{${name}}}`);
  return {
    id: reply.id,
    content: (
      <>
        <span className="w-24 shrink-0 truncate font-medium text-primary-text">/{reply.shortcut}</span>
        <span className="min-w-0 flex-1">
          <span className="block truncate font-medium">{reply.title}</span>
          <span dir="auto" className="line-clamp-2 text-sm text-muted">
            {text || reply.media?.name}
          </span>
          {missing.length > 0 ? (
            <span className="block truncate text-sm text-warning">
              {t('composer.quickReply.missing', { names: missing.join(', ') })}
            </span>
          ) : null}
        </span>
      </>
    ),
  };
}
