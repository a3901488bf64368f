import { randomUUID } from 'node:crypto';
import { applyRollups } from '@app/database/analytics/apply-rollups';
import { newId } from '@app/database/new-id';
import { applyMessageStatuses } from '@app/delivery/messages/apply-message-statuses';
import { enqueueMessage } from '@app/delivery/messages/enqueue-message';
import { settleRecipients } from '@app/delivery/recipients/settle-recipients';
import { startRun } from '@app/delivery/start-run';
import { applyStatuses } from '@app/delivery/statuses/apply-statuses';
import { inTransaction } from '@app/delivery/transaction';
import { formatDeliveryTag } from '@app/domain/delivery/delivery-tag';
import { formatMessageTag } from '@app/domain/conversations/message-tag';
import { expect } from 'vitest';
import { createTestSecretBox, openApiFixture } from '../api-fixture.ts';
import { arriveWith, said } from '../arriving-events.ts';

export type Status = 'sent' | 'delivered' | 'read' | 'failed';
type Metric = 'sent' | 'delivered' | 'read' | 'failed' | 'received' | 'replied' | 'refused';
/** What is known of a message of ours by what happened, without a look at its row. */
type Ours = {
  campaignId: string | null;
  author: string;
  contactId: string | null;
  /** The number to which a campaign sent it. */
  address: string | null;
  /** Of the number to which it was sent. */
  country: string;
  isGone: boolean;
  /** What was known when its contact was erased, and with it the number: by country nothing is counted any more. */
  erased: Times | null;
  report(status: Status, at: number): Promise<void>;
  sentAt: number | null;
  refusedAt: number | null;
  times: Record<Status, number | null>;
  repliedAt: number | null;
};
type Times = Record<Exclude<Metric, 'received'>, number | null>;
type Theirs = { contactId: string; country: string; at: number; isGone: boolean };

const DAY = 86_400_000;
const QUARTER = 15 * 60_000;
export const quarterOf = (at: number) => Math.floor(at / QUARTER) * QUARTER;

/**
 * A workspace to which things happen, and beside it a count of them that knows nothing of how the product counts. What was counted stays counted,
 * whatever becomes of the contact, the message or the campaign.
 */
export async function openStory() {
  const secrets = await createTestSecretBox();
  const api = await openApiFixture({ secrets }, { isWorking: false });
  const admin = await api.as('admin');
  const channelId = await api.addChannel();
  const { workspaceId } = api;
  const pool = api.db.systemPool;
  const arrive = arriveWith(api, { secrets, channelId });
  const ours: Ours[] = [];
  const theirs: Theirs[] = [];
  const merges: { mergeId: string; survivorId: string; otherId: string }[] = [];
  const query = async <Row extends object>(text: string, values: unknown[] = []) =>
    (await pool.query<Row>(text, values)).rows;
  const countries = new Map<string, string>();
  /** Of each contact, also when it is gone. */
  const phones = new Map<string, string>();
  let people = 0;

  const deliveredAt = ({ times }: Ours) =>
    times.delivered === null ? times.read : Math.min(times.delivered, times.read ?? Infinity);
  /** The rule for replies, in full: the first message within 24 hours of the delivery. */
  const settleReply = (one: Ours) => {
    const from = deliveredAt(one);
    if (from === null || one.isGone || one.contactId === null) return;
    const isWithin = (at: number) => at > from && at <= from + DAY;
    const found = theirs.filter(
      (they) => !they.isGone && they.contactId === one.contactId && isWithin(they.at),
    );
    const kept = one.repliedAt !== null && isWithin(one.repliedAt) ? [one.repliedAt] : [];
    const all = [...found.map(({ at }) => at), ...kept];
    one.repliedAt = all.length === 0 ? null : Math.min(...all);
  };
  const heard = (one: Ours, status: Status, at: number) => {
    if (one.isGone) return;
    one.sentAt ??= one.refusedAt === null || status ? at : null;
    one.refusedAt = null;
    one.times[status] = Math.min(one.times[status] ?? Infinity, at);
    if (status === 'delivered' || status === 'read') settleReply(one);
  };
  const begin = (
    more: Pick<Ours, 'campaignId' | 'author' | 'contactId' | 'address' | 'country' | 'report'>,
  ): Ours => {
    const times = { sent: null, delivered: null, read: null, failed: null };
    const one = {
      ...more,
      isGone: false,
      erased: null,
      sentAt: null,
      refusedAt: null,
      times,
      repliedAt: null,
    };
    ours.push(one);
    return one;
  };
  const timesOf = (one: Ours): Times => {
    const arrived = deliveredAt(one);
    const failed = one.sentAt !== null && arrived === null ? one.times.failed : one.refusedAt;
    return {
      ...{ sent: one.sentAt, delivered: arrived, read: one.times.read, failed, replied: one.repliedAt },
      refused: one.refusedAt,
    };
  };
  const phoneOf = async (id: string) =>
    (await query<{ phone: string }>('SELECT phone FROM contacts WHERE id = $1', [id]))[0]!.phone;
  const report = (tag: string, status: Status, at: number) => ({
    ...{ workspaceId, tag, status, occurredAt: at, messageId: `wamid.${tag}`, action: null },
    error: status === 'failed' ? { code: '131026', title: 'No' } : null,
  });
  const versionOf = async (id: string) =>
    (await query<{ version: number }>('SELECT version FROM contacts WHERE id = $1', [id]))[0]?.version;

  const story = {
    ...{ api, admin, channelId, query, ours },
    settleAll: () => applyRollups(pool),
    async person() {
      people += 1;
      const [code, country] = people % 2 === 0 ? ['49151555', 'DE'] : ['1415555', 'US'];
      const phone = `+${code}${1000 + people}`;
      countries.set(phone, country!);
      const response = await admin.post('/api/contacts', { name: `Person ${people}`, phone });
      expect(response.status).toBe(200);
      const { id } = await response.json<{ id: string }>();
      phones.set(id, phone);
      return { id, phone };
    },
    async campaign(contactIds: readonly string[], templateId: string | null = null): Promise<string> {
      const id = newId();
      await query(
        `INSERT INTO campaigns (id, workspace_id, name, template_id) VALUES ($1, $2, 'Spring', $3)`,
        [...[id, workspaceId, templateId]],
      );
      const started = await inTransaction(pool, (client) =>
        startRun(client, {
          ...{
            workspaceId,
            channelId,
            campaignId: id,
            audience: { contactIds: [...contactIds] },
            category: 'utility',
          },
          message: { content: { type: 'text', body: 'Hello' }, variables: {}, businessName: 'Shop' },
        }),
      );
      if (started.outcome !== 'started') return id;
      const { runNo } = started;
      await query(
        `UPDATE delivery_runs SET owner = 'test', epoch = 1, cursor = total, low_water = total, state = 'completed', completed_at = now(),
           created_at = now() - interval '30 days' WHERE run_no = $1`,
        [runNo],
      );
      await query('UPDATE campaigns SET run_no = $1 WHERE id = $2', [runNo, id]);
      const rows = await query<{ seq: number; contact_id: string; address: string }>(
        'SELECT seq, contact_id, address FROM delivery_recipients WHERE run_no = $1 ORDER BY seq',
        [runNo],
      );
      for (const { seq, contact_id: contactId, address } of rows) {
        const tag = formatDeliveryTag({ runNo, seq, attempt: 1 });
        const one: Ours = begin({
          ...{ campaignId: id, author: 'campaign', contactId, address, country: countries.get(address)! },
          report: async (status, at) => {
            await inTransaction(pool, (client) => applyStatuses(client, [report(tag, status, at)]));
            heard(one, status, at);
          },
        });
        settles.set(one, async (to, at) => {
          const settlement =
            to === 'accepted'
              ? ({ to, providerMessageId: `wamid.${tag}` } as const)
              : ({ to, code: '131026', detail: '' } as const);
          const settled = { seq, attempt: 1, isRetry: false, at, settlement, giveBack: null };
          await settleRecipients(pool, runNo, { owner: 'test', epoch: 1 }, [settled]);
          // A report that was quicker stays.
          if (one.isGone || one.sentAt !== null || one.refusedAt !== null) return;
          if (to === 'accepted') one.sentAt = at;
          else one.refusedAt = at;
        });
      }
      return id;
    },
    /** What became of handing it to the platform; of single messages the first report says it. */
    settle: async (one: Ours, to: 'accepted' | 'refused', at: number) => settles.get(one)?.(to, at),
    async single(contactId: string, author: 'person' | 'api-key' | 'bot') {
      const id = newId();
      await inTransaction(pool, (client) =>
        enqueueMessage(client, {
          ...{
            id,
            workspaceId,
            channelId,
            contactId,
            address: null,
            content: { type: 'text', body: 'Hi' },
            text: 'Hi',
          },
          ...{
            purpose: author === 'bot' ? 'bot' : 'reply',
            isMarketing: false,
            needsWindow: true,
            key: null,
          },
          ...{ author: { kind: author, id: null, name: 'Ann' }, at: new Date(), giveUpAt: null, cause: null },
        }),
      );
      const [row] = await query<{ no: string }>('SELECT send_no AS no FROM messages WHERE id = $1', [id]);
      const phone = await phoneOf(contactId);
      const tag = formatMessageTag({ no: Number(row?.no), attempt: 1 });
      const named = { person: 'agent', 'api-key': 'api', bot: 'bot' }[author];
      const one: Ours = begin({
        ...{ campaignId: null, author: named, contactId, address: null, country: countries.get(phone)! },
        report: async (status, at) => {
          await inTransaction(pool, (client) =>
            applyMessageStatuses(client, [report(tag, status, at)], Date.now()),
          );
          if (one.isGone) return;
          const isFirst = one.sentAt === null;
          heard(one, status, at);
          // That it was taken is known from when this was stored.
          if (!isFirst) return;
          const [stored] = await query<{ at: Date }>('SELECT accepted_at AS at FROM messages WHERE id = $1', [
            id,
          ]);
          one.sentAt = stored?.at.getTime() ?? null;
        },
      });
      messageIds.set(one, id);
      return one;
    },
    async writes(phone: string, at: number) {
      const messageId = `wamid.in.${randomUUID()}`;
      const event = said({ phone, name: 'Ann' }, 'Hello', { messageId, occurredAt: at });
      await arrive(event, event);
      const [row] = await query<{ contact_id: string | null }>(
        'SELECT contact_id FROM messages WHERE provider_message_id = $1',
        [messageId],
      );
      if (!row?.contact_id) return;
      const written = await phoneOf(row.contact_id);
      phones.set(row.contact_id, written);
      const country = countries.get(written)!;
      theirs.push({ contactId: row.contact_id, country, at, isGone: false });
      for (const one of ours) if (one.contactId === row.contact_id) settleReply(one);
      return row.contact_id;
    },
    async merge(survivorId: string, otherId: string) {
      await story.settleAll();
      const mergeId = newId();
      const contacts = [
        { contactId: survivorId, version: await versionOf(survivorId) },
        { contactId: otherId, version: await versionOf(otherId) },
      ];
      const response = await admin.post('/api/contacts/merges', { mergeId, survivorId, contacts });
      if (response.status !== 200) return;
      merges.push({ mergeId, survivorId, otherId });
      for (const one of [...ours, ...theirs]) if (one.contactId === otherId) one.contactId = survivorId;
      for (const one of ours) if (one.contactId === survivorId) settleReply(one);
      await story.settleAll();
    },
    /** A contact that is deleted takes its messages along; what was sent to it by campaigns stays. */
    async remove(contactId: string, comesBack: boolean) {
      await story.settleAll();
      if ((await admin.delete(`/api/contacts/${contactId}`)).status !== 200) return;
      if (comesBack) {
        expect((await admin.post(`/api/contacts/${contactId}/restore`)).status).toBe(200);
        return;
      }
      for (const they of theirs) if (they.contactId === contactId) they.isGone = true;
      for (const one of ours) if (one.contactId === contactId && messageIds.has(one)) one.isGone = true;
    },
    /** The number goes, also from what was sent to it under contacts that are gone by now. */
    async erase(contactId: string) {
      await story.settleAll();
      const there = new Set((await query<{ id: string }>('SELECT id FROM contacts')).map(({ id }) => id));
      const phone = phones.get(contactId);
      if ((await admin.post(`/api/contacts/${contactId}/erase`)).status !== 200) return;
      for (const they of theirs) if (they.contactId === contactId) they.isGone = true;
      const earlier = ours.filter((one) => one.address === phone && !there.has(one.contactId ?? ''));
      const erased = new Set([contactId, ...earlier.map((one) => one.contactId)]);
      for (const one of ours) {
        const isTheirs = one.contactId !== null && erased.has(one.contactId);
        if (isTheirs && messageIds.has(one)) one.isGone = true;
        if (one.address !== null && (isTheirs || one.address === phone)) one.erased ??= timesOf(one);
        if (isTheirs && one.address !== null) one.contactId = null;
      }
    },
    /** Its messages have left, and what the platform tells of them counts on. */
    async deleteCampaign(id: string) {
      await story.settleAll();
      expect((await admin.delete(`/api/campaigns/${id}`)).status).toBe(200);
    },
    /** What should have been counted, by quarter of an hour, campaign and author. */
    expected() {
      const counts = new Map<string, number>();
      const add = (metric: Metric, at: number | null, campaignId: string | null, author: string) => {
        if (at === null) return;
        const key = `${new Date(quarterOf(at)).toISOString()} ${campaignId} ${author} ${metric}`;
        counts.set(key, (counts.get(key) ?? 0) + 1);
      };
      for (const one of ours) {
        const at = timesOf(one);
        for (const metric of ['sent', 'delivered', 'read', 'failed', 'replied', 'refused'] as const)
          add(metric, at[metric], one.campaignId, one.author);
      }
      for (const they of theirs) add('received', they.at, null, 'contact');
      return Object.fromEntries([...counts].toSorted(([one], [other]) => (one < other ? -1 : 1)));
    },
    /** The same by quarter of an hour, campaign and country. */
    expectedByCountry() {
      const counts = new Map<string, number>();
      const add = (metric: Metric, at: number | null, campaignId: string | null, country: string) => {
        if (at === null) return;
        const key = `${new Date(quarterOf(at)).toISOString()} ${campaignId} ${country} ${metric}`;
        counts.set(key, (counts.get(key) ?? 0) + 1);
      };
      for (const one of ours)
        for (const [metric, at] of Object.entries(one.erased ?? timesOf(one)))
          add(metric as Metric, at, one.campaignId, one.country);
      for (const they of theirs) add('received', they.at, null, they.country);
      return Object.fromEntries([...counts].toSorted(([one], [other]) => (one < other ? -1 : 1)));
    },
    async countedByCountry() {
      const rows = await query<{ key: string; value: number }>(
        `SELECT to_char(quarter AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS".000Z"') || ' ' || coalesce(campaign_id::text, 'null') || ' ' || country
                  || ' ' || metric AS key, sum(value)::integer AS value
           FROM country_rollups CROSS JOIN LATERAL (VALUES ('sent', sent), ('delivered', delivered), ('read', read), ('failed', failed),
             ('received', received), ('replied', replied), ('refused', refused)) AS m (metric, value)
          WHERE workspace_id = $1 GROUP BY 1 HAVING sum(value) <> 0`,
        [workspaceId],
      );
      return Object.fromEntries(rows.map(({ key, value }) => [key, value]));
    },
    /** Days of countries that are not the sum of their quarters of an hour: none, whatever happened. */
    wrongDays: () =>
      query(
        `SELECT coalesce(d.country, s.country) AS country, d.at FROM (
           SELECT country, date_trunc('day', quarter, 'UTC') AS at, sum(sent) AS sent, sum(delivered) AS delivered, sum(read) AS read, sum(failed) AS failed,
                  sum(received) AS received, sum(replied) AS replied, sum(refused) AS refused FROM country_rollups WHERE workspace_id = $1 GROUP BY 1, 2) AS d
           FULL JOIN (SELECT * FROM country_rollup_sums WHERE workspace_id = $1 AND channel_id IS NULL) AS s ON s.country = d.country AND s.at = d.at
          WHERE (d.sent, d.delivered, d.read, d.failed, d.received, d.replied, d.refused) IS DISTINCT FROM (s.sent::numeric, s.delivered::numeric, s.read::numeric,
            s.failed::numeric, s.received::numeric, s.replied::numeric, s.refused::numeric)`,
        [workspaceId],
      ),
    async counted() {
      const rows = await query<{ key: string; value: number }>(
        `SELECT to_char(quarter AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS".000Z"') || ' ' || coalesce(campaign_id::text, 'null') || ' ' || author
                  || ' ' || metric AS key, sum(value)::integer AS value
           FROM message_rollups_now CROSS JOIN LATERAL (VALUES ('sent', sent), ('delivered', delivered), ('read', read), ('failed', failed),
             ('received', received), ('replied', replied), ('refused', refused)) AS m (metric, value)
          WHERE workspace_id = $1 GROUP BY 1 HAVING sum(value) <> 0`,
        [workspaceId],
      );
      return Object.fromEntries(rows.map(({ key, value }) => [key, value]));
    },
  };
  const settles = new Map<Ours, (to: 'accepted' | 'refused', at: number) => Promise<void>>();
  const messageIds = new Map<Ours, string>();
  return story;
}
