import { ClipboardCheck } from 'lucide-react';
import { Suspense, useState } from 'react';
import type { Contact } from '../../shared/contacts/contacts-queries.ts';
import type { Conversation } from '../../shared/conversations/conversations-queries.ts';
import { t } from '../../shared/messages.ts';
import { can } from '../../shared/session.ts';
import { Button } from '../../ui/button.tsx';
import { lazyDialog } from '../../ui/overlays/lazy-dialog.tsx';
import { ConsentPanel } from '../contacts/consent-panel.tsx';
import { TimelinePanel } from '../contacts/timeline-panel.tsx';
import { ContactDetails } from './contact-details.tsx';
import { ContactOrders } from './contact-orders.tsx';
import { OtherConversations } from './other-conversations.tsx';
import { SharedFiles } from './shared-files.tsx';

const ConsentDialog = lazyDialog(async () => (await import('../contacts/consent-dialog.tsx')).ConsentDialog);

/** Everything that is known of the person, and what may be changed of it. */
export function KnownContact({ contact, conversation }: { contact: Contact; conversation: Conversation }) {
  const [isRecording, setRecording] = useState(false);
  return (
    <>
      <ContactDetails contact={contact} />
      <ContactOrders contactId={contact.id} />
      <SharedFiles conversation={conversation} />
      <OtherConversations conversation={conversation} />
      <ConsentPanel contact={contact} />
      {can('contacts:update') ? (
        <Button icon={<ClipboardCheck aria-hidden />} onClick={() => setRecording(true)}>
          {t('contacts.consent.record')}
        </Button>
      ) : null}
      <TimelinePanel contactId={contact.id} />
      <Suspense>
        {isRecording ? <ConsentDialog contact={contact} onClose={() => setRecording(false)} /> : null}
      </Suspense>
    </>
  );
}
