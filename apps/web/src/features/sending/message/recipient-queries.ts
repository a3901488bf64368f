import { useInfiniteQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { orpc, type api } from '../../../shared/api.ts';
import { useCustomFields } from '../../../shared/contacts/custom-fields.ts';
import { whileReachable } from '../../../shared/offline/kept-rows.ts';
import { useDebounced } from '../../../shared/use-debounced.ts';
import { isSelectionEmpty, toAudience, type AudienceSelection } from '../audience/audience-selection.ts';
import { toMessageChoice, toVariables, variablesOf, type MessageDraft } from './message-draft.ts';
import { useTemplate } from './template-queries.ts';

export type PreviewInput = Omit<Parameters<typeof api.bulkMessage.preview>[0], 'after'>;
export type PreviewedRecipient = Awaited<ReturnType<typeof api.bulkMessage.preview>>['messages'][number];

export type Previewed = {
  message: MessageDraft;
  selection: AudienceSelection;
  channelId: string | null;
};

/** People who would get the message, with what fills it for them: one after the other, and more are asked for as somebody goes on. */
export function useRecipients(chosen: Previewed) {
  const input = usePreviewInput(chosen);
  const query = useInfiniteQuery(
    orpc.bulkMessage.preview.infiniteOptions({
      input: (after: string | undefined) => ({
        ...(input ?? nothing),
        ...(after === undefined ? {} : { after }),
      }),
      initialPageParam: undefined,
      getNextPageParam: (page) => page.next ?? undefined,
      enabled: input !== null,
      placeholderData: whileReachable,
      staleTime: 30_000,
    }),
  );
  const [shownId, setShownId] = useState<string>();
  const pages = input === null ? [] : (query.data?.pages ?? []);
  const people = pages.flatMap((page) => page.messages);
  const at = Math.max(
    people.findIndex(({ contactId }) => contactId === shownId),
    0,
  );

  function show(index: number): void {
    setShownId(people[index]?.contactId);
    if (index >= people.length - 1 && query.hasNextPage) void query.fetchNextPage();
  }

  return {
    query,
    isAsked: input !== null,
    people,
    person: people[at],
    at,
    total: pages[0]?.total ?? people.length,
    goBack: at > 0 ? () => show(at - 1) : undefined,
    goOn: at < people.length - 1 ? () => show(at + 1) : undefined,
  };
}

/** Null while there is no message or nobody to send it to. */
function usePreviewInput({ message, selection, channelId }: Previewed): PreviewInput | null {
  const fields = useCustomFields();
  const { template } = useTemplate(message.templateId);
  const isKnown = message.templateId === null || template !== undefined;
  const input = useMemo(() => {
    const choice = toMessageChoice(message);
    if (choice === null || !isKnown || isSelectionEmpty(selection)) return null;
    const variables = toVariables(variablesOf(message, template), message.variables, fields);
    return { audience: toAudience(selection), message: choice, variables, channelId };
  }, [message, selection, channelId, template, isKnown, fields]);
  const settled = useDebounced(input, 300);
  return input && (settled ?? input);
}

const nothing: PreviewInput = { audience: { contactIds: [] }, message: { customMessage: '-' } };
