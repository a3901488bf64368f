import { createAuthEndpoint } from 'better-auth/api';
import { setSessionCookie } from 'better-auth/cookies';
import { z } from 'zod';

/**
 * The engine opens sessions only behind its own form, whose idea of a mail address is narrower than ours; this opens
 * one for somebody whose password is checked already. No request reaches it, as none reaches the engine.
 */
export const openSessionPlugin = {
  id: 'open-session',
  endpoints: {
    openSession: createAuthEndpoint(
      '/open-session',
      {
        method: 'POST',
        body: z.object({
          userId: z.string(),
          rememberMe: z.boolean(),
          openedAt: z.date(),
          expiresAt: z.date(),
        }),
        metadata: { scope: 'server' },
        requireHeaders: true,
      },
      async (ctx) => {
        const { userId, rememberMe, openedAt, expiresAt } = ctx.body;
        const user = await ctx.context.internalAdapter.findUserById(userId);
        if (!user) throw ctx.error('UNAUTHORIZED');
        const session = await ctx.context.internalAdapter.createSession(
          userId,
          !rememberMe,
          // The engine would read a clock of its own.
          { createdAt: openedAt, updatedAt: openedAt, expiresAt },
          true,
        );
        await setSessionCookie(ctx, { session, user }, !rememberMe);
        return ctx.json({ token: session.token });
      },
    ),
  },
};
