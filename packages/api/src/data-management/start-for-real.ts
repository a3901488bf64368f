import type { Channel } from '@app/database/channels/find-channel';
import { channels } from '@app/database/channels/channels-tables';
import { newId } from '@app/database/new-id';
import { checkRealOwner, type RealOwnerProblem } from '@app/domain/auth/real-owner';
import { normaliseEmail } from '@app/domain/auth/sign-up-rules';
import { eq } from 'drizzle-orm';
import {
  becomeOwner,
  findOtherMembers,
  deleteInvitations,
  isSampleAddress,
  leaveSample,
  type RealOwner,
} from '../auth/leave-sample.ts';
import { connectionOf } from '../channels/channel-connection.ts';
import { deleteSampleEntries } from '../platform/facts/log-entries.ts';
import type { Operation } from '../platform/operations/present-operation.ts';
import { startSteps } from '../platform/operations/start-steps.ts';
import type { SignedInContext } from '../platform/request-context.ts';
import type { ReadScope, WorkspaceScope } from '../platform/workspace-scope.ts';
import { beginMemberChange, hasAdmin } from '../users/member-change.ts';
import { removeUser } from '../users/users-actions.ts';
import { dataClear } from './clear-operation.ts';
import {
  countInImports,
  listSampleImports,
  readKeptImports,
  type ImportChoice,
  type SampleImport,
} from './kept-imports.ts';

export type OwnerForm = {
  firstName: string;
  lastName: string;
  email: string;
  password: string;
};
type Refusal =
  | 'sample_gone'
  | 'imports_undecided'
  | 'email_taken'
  | 'user_elsewhere'
  | 'user_above'
  | 'last_admin';
type Asking = Pick<SignedInContext, 'session' | 'ownPassword'>;

/** Ids of those whose password everybody knows; outside of a sample it is a password like others, and nobody is asked about it. */
export async function findKnownPasswords({ session, ownPassword }: Asking): Promise<string[]> {
  return session.isSample ? ownPassword.findKnown(session.workspaceId) : [];
}

/** Whether everybody can open the account of whoever asks: under its first address, or with its first password. */
export function isKnownAccount({ session: { user } }: Asking, known: readonly string[]): boolean {
  return isSampleAddress(user.email) || known.includes(user.id);
}

/** What leaving the sample means to whoever asks. */
export async function previewStart(
  scope: ReadScope,
  context: Asking,
  known: readonly string[],
): Promise<{ needsOwner: boolean; leaving: string[]; imports: SampleImport[] }> {
  const others = await findOtherMembers(scope, context.session.user.id);
  return {
    needsOwner: isKnownAccount(context, known),
    leaving: others.map(({ email }) => email).filter((email) => !isSampleAddress(email)),
    imports: await listSampleImports(scope),
  };
}

/** Whoever works with an account that everybody can open says who they are; null for a person with an account of their own. */
export function readOwner(
  context: Asking,
  known: readonly string[],
  form: OwnerForm | undefined,
): { owner: OwnerForm | null; problems: [string, RealOwnerProblem][] } {
  if (!isKnownAccount(context, known)) return { owner: null, problems: [] };
  const { firstName = '', lastName = '', email = '', password = '' } = form ?? {};
  const owner = {
    firstName: firstName.trim(),
    lastName: lastName.trim(),
    email: normaliseEmail(email),
    password,
  };
  const found = checkRealOwner({ ...owner, confirmPassword: password });
  return { owner, problems: Object.entries(found) };
}

/**
 * The sample becomes the workspace of a business: its owner is its admin before every other account goes, and what it holds is cleared. Who it
 * belongs to and the wish to clear are one transaction; the clearing is that of all data, but for the contacts of the imports that are kept.
 */
export async function startForReal(
  scope: WorkspaceScope,
  context: SignedInContext,
  wish: {
    businessName: string;
    owner: RealOwner | null;
    contacts: number;
    imports: readonly ImportChoice[];
  },
): Promise<Refusal | Operation> {
  const people = await beginMemberChange(scope, 'users:delete');
  const { businessName, owner, contacts, imports } = wish;
  if (!(await leaveSample(scope, businessName))) return 'sample_gone';
  const keptImports = await readKeptImports(scope, imports);
  if (!keptImports) return 'imports_undecided';
  const { session } = context;
  if (owner) {
    if (isSampleAddress(owner.email)) return 'email_taken';
    const outcome = await becomeOwner(scope, session, owner);
    if (outcome !== 'changed') return outcome === 'taken' ? 'email_taken' : 'user_elsewhere';
  }
  for (const { id: userId } of await findOtherMembers(scope, session.user.id)) {
    const refusal = await removeUser(scope, people, {
      userId,
      handOverTo: null,
    });
    if (refusal === 'user_above' || refusal === 'last_admin') return refusal;
    if (refusal) throw new Error(`An account of the sample stays: ${refusal}`);
  }
  await deleteInvitations(scope);
  await deleteSampleEntries(scope);
  if (!(await hasAdmin(scope))) return 'last_admin';
  await scope.emit({
    type: 'data.started_for_real',
    subject: scope.workspaceId,
    values: {},
  });
  return startSteps(scope, context, dataClear, {
    ...{ id: newId(), kind: dataClear.name, total: contacts - (await countInImports(scope, keptImports)) },
    wish: {
      businessName,
      leftChannels: await findSandboxNumbers(scope, context),
      ...{ leavesSample: true, keptImports },
      newOwner: owner && session.user.id,
    },
  });
}

/** Nothing points them at the sandbox of the next start any more: they are connected anew, as in a new installation. */
async function findSandboxNumbers(scope: WorkspaceScope, context: SignedInContext): Promise<string[]> {
  const known: Channel[] = await scope.tx
    .select()
    .from(channels)
    .where(eq(channels.workspaceId, scope.workspaceId));
  return known
    .filter((one) => connectionOf({ ...one, isConnected: true }, context).kind === 'sandbox')
    .map(({ id }) => id);
}
