import { newId } from '@app/database/new-id';
import type { Credentials } from '@app/domain/channels/channel-credentials';
import type { ConnectorConsent, ConnectorKind } from '@app/domain/integrations/connector-kind';
import type { ConnectorProblem } from '@app/domain/integrations/connector-problems';
import { z } from 'zod';
import { readSignedId, signId } from '../platform/account/signed-id.ts';
import { callsOf } from '../platform/connectors/open-connector.ts';
import type { SignedInContext } from '../platform/request-context.ts';
import { consentRedirectUrl } from './consent-redirect.ts';
import { readFields, tryCredentials } from './connect-integration.ts';
import { findIntegration } from './integration-rows.ts';

const STATE = 'integration consent';
const TICKET_MS = 10 * 60_000;

/**
 * What is known of a way to a service. It is sealed and stays in the browser, so that the secrets of the app are stored nowhere. `version` is that of the
 * connection: what was connected meanwhile makes the ticket worthless, also by itself.
 */
const ticketShape = z.strictObject({
  use: z.literal(STATE),
  id: z.string(),
  kind: z.string(),
  sessionId: z.string(),
  workspaceId: z.string(),
  version: z.number(),
  expiresAt: z.number(),
  app: z.record(z.string(), z.string()),
});

export type ConsentKind = ConnectorKind & { consent: ConnectorConsent };

/** The page of the service and the ticket, or the name of a field that is missing or wrong. */
export async function beginConsent(
  context: SignedInContext,
  kind: ConsentKind,
  values: Readonly<Record<string, string>>,
): Promise<{ address: string; ticket: string } | { field: string }> {
  const { credentials: app, problems } = readFields(kind.consent.fields, values);
  if (problems.length > 0) return { field: problems[0]?.field ?? '' };
  const { secrets, session, publicUrl, clock } = context;
  const id = newId();
  const state = signId(secrets, STATE, id);
  const ticket: z.infer<typeof ticketShape> = {
    ...{ use: STATE, id, kind: kind.name, sessionId: session.id, workspaceId: session.workspaceId },
    ...{ version: await readVersion(context, kind), expiresAt: clock().getTime() + TICKET_MS, app },
  };
  return {
    address: kind.consent.addressOf(app, { redirectUrl: consentRedirectUrl(publicUrl), state }),
    ticket: await secrets.seal(JSON.stringify(ticket)),
  };
}

/** The app that a way back belongs to, and the version of the connection that it is for; null for one that is none of this session and connection, or too old. */
export async function readConsent(
  context: SignedInContext,
  kind: ConsentKind,
  { ticket, state }: { ticket: string; state: string },
): Promise<{ app: Credentials; version: number } | null> {
  const { secrets, session, clock } = context;
  const opened = await secrets.open(ticket).catch(() => null);
  const read = ticketShape.safeParse(opened === null ? null : parse(opened));
  if (!read.success) return null;
  const { id, app, sessionId, workspaceId, version, expiresAt } = read.data;
  const isOurs =
    readSignedId(secrets, STATE, state) === id && read.data.kind === kind.name && sessionId === session.id;
  const isNow =
    workspaceId === session.workspaceId &&
    expiresAt > clock().getTime() &&
    version === (await readVersion(context, kind));
  return isOurs && isNow ? { app, version } : null;
}

/** The credentials that a code stands for, once the service accepted them, and the account that they open. */
export async function openByConsent(
  context: SignedInContext,
  kind: ConsentKind,
  app: Credentials,
  code: string,
): Promise<
  { credentials: Credentials; account: string | null } | { problem: ConnectorProblem; detail: string | null }
> {
  const redirectUrl = consentRedirectUrl(context.publicUrl);
  const { workspaceId } = context.session;
  const call = callsOf(context, kind, workspaceId);
  const reply = await kind.consent.exchange(app, { code, redirectUrl }, { call });
  if (!reply.ok) return reply;
  const health = await tryCredentials(context, kind, reply.value);
  return health.state === 'healthy' ? { credentials: reply.value, account: health.account } : health;
}

/** Zero before the first connection. */
async function readVersion(context: SignedInContext, kind: ConnectorKind): Promise<number> {
  const row = await context.read((scope) => findIntegration(scope, kind.name));
  return row?.version ?? 0;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
