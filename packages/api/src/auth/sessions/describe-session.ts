import { readPreferences } from '@app/domain/profile/preferences';
import type { z } from 'zod';
import type { session as sessionSchema } from '@app/contracts/auth/auth-contract';
import type { Session } from '../../platform/request-context.ts';

/** What the browser may know of its session: never the token. */
export function describeSession(session: Session): z.infer<typeof sessionSchema> {
  return {
    user: {
      ...session.user,
      preferences: readPreferences(session.user.preferences),
      theme: 'theme' in session.user.preferences ? readPreferences(session.user.preferences).theme : null,
    },
    workspace: {
      id: session.workspaceId,
      slug: session.workspaceSlug,
      name: session.workspaceName,
      businessName: session.businessName,
      logo: session.logo,
      quietHours: session.quietHours,
      isSample: session.isSample,
    },
    role: session.role,
    permissions: [...session.permissions],
    mustSetUpTwoFactor: session.mustSetUpTwoFactor,
    expiresAt: session.expiresAt.toISOString(),
  };
}
