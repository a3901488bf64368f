import { profileContract } from '@app/contracts/profile/profile-contract';
import { users } from '@app/database/auth/auth-tables';
import { and, eq, isNull, ne, or } from 'drizzle-orm';
import { implementEndpoints } from '../platform/implement-endpoints.ts';
import { changeAcrossWorkspaces } from '../platform/system-work.ts';

const os = implementEndpoints(profileContract);

export const profileApi = os.router({
  // A person belongs to the installation, so their row is no row of a workspace.
  setLanguage: os.setLanguage.handler(async ({ input: { language }, context }) => {
    const { caller, session, ipAddress, userAgent } = context;
    const { id } = session.user;
    await changeAcrossWorkspaces(context, 'sign-in', async ({ tx, scopeOf }) => {
      const changed = await tx
        .update(users)
        .set({ language, updatedAt: context.clock() })
        .where(and(eq(users.id, id), or(isNull(users.language), ne(users.language, language))))
        .returning({ id: users.id });
      if (changed.length === 0) return;
      const scope = scopeOf({ caller, origin: { ipAddress, userAgent } });
      await scope.tell({ type: 'user.language_chosen', subject: id, values: { language } });
    });
    return { language };
  }),
});
