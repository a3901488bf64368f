import { implement, ORPCError, os as bare } from '@orpc/server';
import { errorTable } from '@app/contracts/errors';
import { landingContract } from '@app/contracts/landing/landing-contract';
import { salesEnquiries } from '@app/database/landing/landing-tables';
import { networkOf } from '@app/domain/auth/network-of';
import { newId } from '@app/database/new-id';
import type { SqlQueries } from '@app/database/sql-queries';
import { applyIdempotency } from '../platform/apply-idempotency.ts';
import type { RequestContext } from '../platform/request-context.ts';
import { enquiryMail } from './enquiry-mail.ts';

/** A form that anybody may send must not fill the table or the administrators' mail boxes. */
export const ENQUIRIES = { max: 10, windowMs: 3_600_000 };

/** Before anything is written for a visitor. */
const limitEnquiries = bare.$context<RequestContext>().middleware(({ context, next }) => {
  if (context.enquiryLimit.begin(networkOf(context.ipAddress)).isAllowed) return next();
  throw new ORPCError('too_many_enquiries', errorTable.too_many_enquiries);
});

const os = implement(landingContract, { initialInputValidationIndex: -2 })
  .$context<RequestContext>()
  .use(limitEnquiries)
  .use(applyIdempotency);

export const landingApi = os.router({
  sendEnquiry: os.sendEnquiry.handler(async ({ input, context }) => {
    const { db, clock, ipAddress, jobs } = context;
    await db.inSystem(async (tx, client) => {
      const enquiryId = newId();
      await tx.insert(salesEnquiries).values({ id: enquiryId, ...input, ipAddress, createdAt: clock() });
      for (const userId of await findAdmins(client))
        await jobs.enqueue(client, enquiryMail, `${enquiryId} ${userId}`, { enquiryId, userId });
    });
    return { isReceived: true as const };
  }),
});

/** Those who were there first, when there are more than anybody needs. */
async function findAdmins(client: SqlQueries): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>(
    `SELECT DISTINCT u.id FROM users u JOIN memberships m ON m.user_id = u.id
     WHERE m.is_active AND m.role = 'admin' ORDER BY u.id LIMIT 20`,
  );
  return rows.map(({ id }) => id);
}
