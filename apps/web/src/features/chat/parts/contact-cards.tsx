import { callCard, type ShownContact } from '@app/domain/conversations/shown-message';
import { useQueryClient } from '@tanstack/react-query';
import { UserPlus } from 'lucide-react';
import { useAction } from '../../../shared/actions/use-action.ts';
import { api, orpc } from '../../../shared/api.ts';
import { errorMessage } from '../../../shared/error-message.ts';
import { ButtonLink } from '../../../shared/links.tsx';
import { t } from '../../../shared/messages.ts';
import { paths } from '../../../shared/paths.ts';
import { can } from '../../../shared/session.ts';
import { Avatar } from '../../../ui/avatar.tsx';
import { Button } from '../../../ui/button.tsx';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { notify } from '../../../ui/toast.ts';

/** Cards that were shared: all that they hold, a way to make a contact of one that has a number, and to copy any. */
export function ContactCards({ cards }: { cards: readonly ShownContact[] }) {
  return (
    <ul className="flex flex-col gap-3">
      {cards.map((card, index) => (
        <ContactCard key={index} card={card} />
      ))}
    </ul>
  );
}

function ContactCard({ card }: { card: ShownContact }) {
  const [phone] = card.phones;
  const name = callCard(card) || t('chat.noName');
  const lines = linesOf(card).filter((line) => line !== '' && line !== name);
  return (
    <li className="flex items-start gap-2.5">
      <Avatar name={name} />
      <div className="min-w-0 flex-1 wrap-anywhere">
        <bdi className="block font-medium">{name}</bdi>
        {lines.map((text, place) => (
          <bdi key={place} className="block text-sm text-bubble-muted">
            {text}
          </bdi>
        ))}
        <span className="mt-1.5 flex flex-wrap items-center gap-1.5">
          {phone === undefined ? null : <ContactActs card={card} phone={phone} />}
          <CopyButton text={[name, ...lines].join('\n')} />
        </span>
      </div>
    </li>
  );
}

function linesOf({ company, phones, emails, urls, addresses, birthday }: ShownContact): string[] {
  return [company, ...phones, ...emails, ...urls, ...addresses, birthday];
}

/** Whoever is not a contact yet becomes one; who is one is opened. */
function ContactActs({ card, phone }: { card: ShownContact; phone: string }) {
  const queryClient = useQueryClient();
  const [email = null] = card.emails;
  const add = useAction({
    mutationFn: () => api.contacts.create({ name: callCard(card), phone, email }),
    onSuccess: () => {
      notify.success(t('chat.contactAdded'));
      void queryClient.invalidateQueries({ queryKey: orpc.contacts.key() });
    },
    onError: (error) => notify.error(errorMessage(error)),
  });
  return (
    <>
      <ButtonLink size="small" to={paths.contacts} search={{ search: phone }}>
        {t('chat.findContact')}
      </ButtonLink>
      {can('contacts:create') && !add.isSuccess ? (
        <Button
          size="small"
          icon={<UserPlus aria-hidden />}
          loading={add.isPending}
          onClick={() => add.mutate()}
        >
          {t('chat.newContact')}
        </Button>
      ) : null}
    </>
  );
}
