import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { orpc } from '../../shared/api.ts';
import { useDebounced } from '../../shared/use-debounced.ts';
import { useMessages } from '../../shared/use-messages.ts';
import { errorMessage } from '../../shared/error-message.ts';
import { t } from '../../shared/messages.ts';
import { findsPerson } from '../../shared/offline/find-person.ts';
import { useFoundRows } from '../../shared/offline/found-rows.ts';
import { whileReachable } from '../../shared/offline/kept-rows.ts';
import { OfflineSearchNote } from '../../shared/offline/offline-search-note.tsx';
import { paths } from '../../shared/paths.ts';
import { can } from '../../shared/session.ts';
import { readText, useUrlState } from '../../shared/url-state.ts';
import { Field } from '../../ui/field.tsx';
import { Input, NativeSelect } from '../../ui/input.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { EmptyState, ErrorState, Skeleton, SkeletonRegion } from '../../ui/states.tsx';
import { PersonList, type Chosen, type Person } from './person-list.tsx';
import { useOpenChat } from './use-open-chat.ts';
import { isPlainEnter } from '../../ui/controls/plain-enter.ts';

const SHOWN = 30;
const kind = orpc.contacts.list.key();

/** Who it is with may come with the address: `?dialog=new-chat&contact=…`. */
function readNewChat(search: Record<string, unknown>) {
  return { contact: readText(search, 'contact') };
}

/** Begins a conversation with any contact, or with a number that is none yet. */
export function NewChatDialog({ onClose }: { onClose: () => void }) {
  const [{ contact: askedFor }] = useUrlState(readNewChat);
  const field = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState('');
  const search = useDebounced(typed.trim());
  const navigate = useNavigate();
  const hasWords = useMessages('sending');
  const channels = useQuery(orpc.channels.list.queryOptions({ input: {} }));
  const usable = (channels.data?.items ?? []).filter(({ connection }) => connection !== 'none');
  const [chosen, setChosen] = useState('');
  const channelId = usable.some(({ id }) => id === chosen)
    ? chosen
    : (usable.find(({ isSender }) => isSender) ?? usable[0])?.id;
  const people = useQuery({
    ...orpc.contacts.list.queryOptions({
      input: { limit: SHOWN, sort: 'newest', ...(search && { search }) },
    }),
    placeholderData: whileReachable,
  });
  const { rows: found, searched } = useFoundRows<Person & { email: string | null }>(people, kind, (kept) =>
    kept.filter((person) => findsPerson(person, search)).slice(0, SHOWN),
  );
  const { open, isOpening, problem } = useOpenChat((conversationId) =>
    navigate({
      to: paths.conversation(conversationId),
      search: (before: Record<string, unknown>) => ({ ...before, dialog: undefined, contact: undefined }),
    }),
  );

  // From the page of a contact, with one number to write from, there is nothing to ask.
  const isAsked = useRef(false);
  const isPlain = askedFor !== '' && channels.isSuccess && usable.length < 2;
  useEffect(() => {
    if (!isPlain || isAsked.current) return;
    isAsked.current = true;
    void open({ id: askedFor }, undefined);
  }, [isPlain, askedFor, open]);

  const newNumber = can('contacts:create') ? numberIn(typed) : null;
  const choose = (person: Parameters<typeof open>[0]) => void open(person, channelId);

  // Enter means the first of what is found for these words, also while they are still searched.
  const [entered, setEntered] = useState<string>();
  const isAnswered = searched !== undefined || (people.isSuccess && !people.isPlaceholderData);
  const isFound = channels.isSuccess && isAnswered && search === typed.trim();
  const person = found[0];
  useEffect(() => {
    if (entered === undefined || (entered === typed && !isFound)) return;
    setEntered(undefined);
    const first = person ?? (newNumber ? { phone: newNumber } : undefined);
    if (entered === typed && first) void open(first, channelId);
  }, [entered, typed, isFound, person, newNumber, channelId, open]);
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => {
        if (!isOpen) onClose();
      }}
      title={t('newChat.title')}
      initialFocus={field}
    >
      <div className="grid gap-4">
        {usable.length > 1 ? (
          <Field label={t('newChat.from')}>
            <NativeSelect value={channelId} onChange={({ target }) => setChosen(target.value)}>
              {usable.map(({ id, displayName, isSender }) => (
                <option key={id} value={id}>
                  {isSender && hasWords
                    ? t('sending.numberDefault', { name: displayName ?? id })
                    : (displayName ?? id)}
                </option>
              ))}
            </NativeSelect>
          </Field>
        ) : null}
        {channels.isSuccess && usable.length === 0 ? (
          <EmptyState title={t('newChat.noChannel')} text={t('newChat.noChannelText')} />
        ) : askedFor !== '' ? (
          <AskedFor contactId={askedFor} isOpening={isOpening} onOpen={choose} />
        ) : (
          <>
            <Field label={t('newChat.who')} hint={t('newChat.whoHint')}>
              <Input
                ref={field}
                type="search"
                dir="auto"
                autoComplete="off"
                value={typed}
                maxLength={200}
                onChange={({ target }) => setTyped(target.value)}
                onKeyDown={(event) => {
                  if (!isPlainEnter(event)) return;
                  event.preventDefault();
                  setEntered(typed);
                }}
              />
            </Field>
            {people.isError ? (
              <ErrorState text={errorMessage(people.error)} onRetry={() => void people.refetch()} />
            ) : people.isPending && searched === undefined ? (
              <Waiting />
            ) : (
              <>
                <OfflineSearchNote searched={searched} />
                {searched === 0 && newNumber === null ? null : (
                  <PersonList
                    people={found}
                    newNumber={newNumber}
                    isBusy={isOpening}
                    onChoose={choose}
                    emptyText={search ? t('newChat.noMatch') : t('newChat.noContacts')}
                  />
                )}
              </>
            )}
          </>
        )}
        <p role="alert" className="text-sm text-danger empty:hidden">
          {problem}
        </p>
      </div>
    </Dialog>
  );
}

function AskedFor({
  contactId,
  isOpening,
  onOpen,
}: {
  contactId: string;
  isOpening: boolean;
  onOpen: (person: Chosen) => void;
}) {
  const { data, isPending } = useQuery(orpc.contacts.get.queryOptions({ input: { contactId } }));
  if (isPending) return <Waiting />;
  return (
    <PersonList
      people={data ? [data] : []}
      newNumber={null}
      isBusy={isOpening}
      onChoose={onOpen}
      emptyText={t('newChat.noMatch')}
    />
  );
}

function Waiting() {
  return (
    <SkeletonRegion className="grid gap-2">
      {[1, 2, 3].map((line) => (
        <Skeleton key={line} className="h-11" />
      ))}
    </SkeletonRegion>
  );
}

/** What may be a number with its country code; the server says whether it is one. */
function numberIn(typed: string): string | null {
  const text = typed.trim();
  return /^(\+|00)[\d\s().-]{6,25}$/.test(text) && text.replaceAll(/\D/g, '').length > 6 ? text : null;
}
