import { implement, ORPCError, os as bare } from '@orpc/server';
import { errorTable } from '@app/contracts/errors';
import { landingContract } from '@app/contracts/landing/landing-contract';
import { salesEnquiries } from '@app/database/landing/landing-tables';
import { networkOf } from '@app/domain/auth/network-of';
import { newId } from '@app/database/new-id';
import type { Database } from '@app/database/database';
import { keepOnce } from '../platform/keep-once.ts';
import type { RequestContext } from '../platform/request-context.ts';

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
  .use(keepOnce);

export const landingApi = os.router({
  sendEnquiry: os.sendEnquiry.handler(async ({ input, context }) => {
    const { db, clock, ipAddress, mailer, logger } = context;
    await db.inSystem((tx) =>
      tx.insert(salesEnquiries).values({ id: newId(), ...input, ipAddress, createdAt: clock() }),
    );
    // It is stored: a mail server that is away must not make the visitor write it again.
    const logFailure = (error: unknown) => logger.warn({ err: error }, 'a sales enquiry could not be mailed');
    tellAdmins().catch(logFailure);
    return { isReceived: true as const };

    async function tellAdmins(): Promise<void> {
      const { name, email, company, message } = input;
      const mail = {
        replyTo: email,
        subject: `Sales enquiry from ${name.replaceAll(/\s+/g, ' ')}`,
        text: [`Name: ${name}`, `Email: ${email}`, company && `Company: ${company}`, '', message]
          .filter((line, index) => index > 2 || line)
          .join('\n'),
      };
      const sending = (await findAdminAddresses(db)).map((to) =>
        mailer.send({ ...mail, to }).catch(logFailure),
      );
      await Promise.all(sending);
    }
  }),
});

async function findAdminAddresses(db: Database): Promise<string[]> {
  const { rows } = await db.systemPool.query<{ email: string }>(
    `SELECT DISTINCT u.email FROM users u JOIN memberships m ON m.user_id = u.id
     WHERE u.is_active AND m.role = 'admin' ORDER BY u.email LIMIT 20`,
  );
  return rows.map(({ email }) => email);
}
