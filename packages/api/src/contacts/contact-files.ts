import type { Hono } from 'hono';
import type { Permission } from '@app/domain/auth/permissions';
import { openSignedInContext } from '../platform/guard-access.ts';
import { refuseCaller } from '../platform/refuse-caller.ts';
import { refuse } from '../platform/refuse.ts';
import type { RequestContext, SignedInContext } from '../platform/request-context.ts';
import { contactExport } from '@app/contracts/contacts/contacts-contract';
import { exportContacts } from './export-contacts.ts';
import { createImportPlaces } from './import-places.ts';
import { receiveImport } from './receive-import.ts';

const IMPORT_PATH = '/api/contacts/imports';
const EXPORT_PATH = '/api/contacts/export';

type OpenContext = (request: Request, environment: unknown) => Promise<RequestContext>;

/** Import and export move whole files and therefore stream past the contract's JSON handlers. */
export function mountContactFiles(app: Hono, openContext: OpenContext): void {
  const places = createImportPlaces();
  app.post(IMPORT_PATH, async (c) => {
    const context = admit(await openContext(c.req.raw, c.env), 'contacts:create');
    return context instanceof Response ? context : receiveImport(c.req.raw, context, places);
  });
  app.get(EXPORT_PATH, async (c) => {
    const context = admit(await openContext(c.req.raw, c.env), 'contacts:read');
    if (context instanceof Response) return context;
    const { format, sort, ...filter } = c.req.query();
    return exportWanted({ format, sort, choice: { filter } }, context);
  });
  // The same for a selection, which an address has no room for.
  app.post(EXPORT_PATH, async (c) => {
    const context = admit(await openContext(c.req.raw, c.env), 'contacts:read');
    if (context instanceof Response) return context;
    return exportWanted(await c.req.json<unknown>().catch(() => null), context);
  });
}

async function exportWanted(input: unknown, context: SignedInContext): Promise<Response> {
  const wanted = contactExport.safeParse(input);
  if (wanted.success) return exportContacts(wanted.data, context);
  const [issue] = wanted.error.issues;
  return refuse('invalid_input', { message: `${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}` });
}

function admit(context: RequestContext, permission: Permission): SignedInContext | Response {
  const { session } = context;
  if (!session) return refuse('signed_out');
  return refuseCaller(session, permission) ?? openSignedInContext(context, session).context;
}
