import { contactExport } from '@app/contracts/contacts/contacts-contract';
import { CONTACT_LIST_BODY } from '@app/contracts/endpoint';
import type { FileRoute } from '../../platform/http-edge/file-routes.ts';
import { refuse } from '../../platform/http-edge/refuse.ts';
import type { SignedInContext } from '../../platform/request-context.ts';
import { exportContacts } from './export-contacts.ts';
import { exportPerson } from './export-person.ts';

const EXPORT = {
  path: '/api/contacts/export',
  access: ['contacts:read', 'contacts:export'],
  needsReauthentication: true,
} as const;

export const contactFiles: readonly FileRoute[] = [
  {
    ...EXPORT,
    method: 'GET',
    answer(request, context) {
      const { format, sort, ...filter } = Object.fromEntries(new URL(request.url).searchParams);
      return exportWanted({ format, sort, choice: { filter } }, context);
    },
  },
  // The same for a selection, which an address has no room for.
  {
    ...EXPORT,
    method: 'POST',
    body: { most: CONTACT_LIST_BODY },
    answer: async (request, context) => exportWanted(await request.json().catch(() => null), context),
  },
  {
    method: 'GET',
    path: '/api/contacts/:contactId/data',
    // The file is made of all of these.
    access: ['contacts:read', 'contacts:export', 'messages:read', 'campaigns:read'],
    answer: (_, context, parameter) => exportPerson(parameter('contactId'), context),
  },
];

async function exportWanted(input: unknown, context: SignedInContext): Promise<Response> {
  const wanted = contactExport.safeParse(input);
  if (wanted.success) return exportContacts(wanted.data, context);
  const issues = wanted.error.issues.map(({ path, message }) => ({ field: path.join('.'), message }));
  const [first] = issues;
  return refuse('invalid_input', { message: `${first?.field}: ${first?.message}`, details: { issues } });
}
