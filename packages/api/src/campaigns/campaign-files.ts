import { isUuid } from '@app/domain/uuid';
import type { Hono } from 'hono';
import type { Permission } from '@app/domain/auth/permissions';
import { writeCsvCell } from '@app/domain/contacts/csv-cell';
import { openSignedInContext } from '../platform/guard-access.ts';
import { refuseCaller } from '../platform/refuse-caller.ts';
import { refuse } from '../platform/refuse.ts';
import type { RequestContext, SignedInContext } from '../platform/request-context.ts';
import { findCampaign } from './campaigns-queries.ts';
import { listRecipients } from './campaign-recipients.ts';

const ROWS_AT_ONCE = 2_000;
const NEEDED: readonly Permission[] = ['campaigns:read', 'contacts:read'];

type OpenContext = (request: Request, environment: unknown) => Promise<RequestContext>;

/** The results of a campaign as a file, which streams past the contract's JSON handlers. */
export function mountCampaignFiles(app: Hono, openContext: OpenContext): void {
  app.get('/api/campaigns/:campaignId/recipients/export', async (c) => {
    const context = await openContext(c.req.raw, c.env);
    const { session } = context;
    if (!session) return refuse('signed_out');
    return (
      refuseCaller(session, ...NEEDED) ??
      exportResults(c.req.param('campaignId'), openSignedInContext(context, session).context)
    );
  });
}

async function exportResults(campaignId: string, context: SignedInContext): Promise<Response> {
  const { workspaceId } = context.session;
  const campaign = isUuid(campaignId)
    ? await context.inWorkspace(async (tx) => {
        const row = await findCampaign(tx, workspaceId, campaignId);
        if (!row) return null;
        await context.recordActivity(tx, {
          type: 'download',
          resource: 'campaigns',
          description: `Exported the results of campaign ${row.name}`,
        });
        return row;
      })
    : null;
  if (!campaign) return refuse('campaign_not_found');
  await context.publish('activities');
  const pages = writePages(campaign.runNo, context);
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { value, done } = await pages.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    async cancel() {
      await pages.return();
    },
  });
  return new Response(body, {
    headers: {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="campaign-results-${context.clock().toISOString().slice(0, 10)}.csv"`,
      'x-content-type-options': 'nosniff',
    },
  });
}

async function* writePages(runNo: number | null, context: SignedInContext): AsyncGenerator<string, void> {
  const { workspaceId } = context.session;
  yield 'name,phone,outcome,code,explanation,time\r\n';
  let cursor: string | undefined;
  while (runNo !== null) {
    const page = await context.inWorkspaceFor('long', (tx) =>
      listRecipients(tx, { workspaceId, runNo, limit: ROWS_AT_ONCE, cursor }),
    );
    yield page.items
      .map(({ name, phone, outcome, errorCode, explanation, at }) =>
        [name, phone, outcome, errorCode ?? '', explanation ?? '', at ?? ''].map(writeCsvCell).join(','),
      )
      .map((line) => `${line}\r\n`)
      .join('');
    if (page.nextCursor === null) return;
    cursor = page.nextCursor;
  }
}
