import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ContactChoice } from '../../../shared/contacts/bulk-removal.ts';
import { segmentsOptions } from '../../../shared/contacts/contacts-queries.ts';
import { handPeople } from '../../../shared/contacts/handed-people.ts';
import { paths } from '../../../shared/paths.ts';
import { can } from '../../../shared/session.ts';

export const mayWriteToMany = () => can('messages:create') && can('campaigns:create');
export const mayWriteToOne = () => can('messages:create') && can('messages:read');

/** Leads to the message with these people chosen: one of them to the conversation, many to the bulk message. */
export function useWriteToMany(): (choice: ContactChoice) => void {
  const navigate = useNavigate();
  const segments = useQuery(segmentsOptions).data?.items ?? [];
  return (choice) => {
    const [only, ...others] = 'contactIds' in choice ? choice.contactIds : [];
    if (only !== undefined && others.length === 0 && mayWriteToOne()) {
      void navigate({ to: paths.inbox, search: { dialog: 'new-chat', contact: only } });
      return;
    }
    const segmentId = 'filter' in choice ? choice.filter.segment : undefined;
    handPeople({ choice, segment: segments.find(({ id }) => id === segmentId) });
    void navigate({ to: paths.bulkMessage });
  };
}
