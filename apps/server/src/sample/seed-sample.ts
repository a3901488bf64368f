import { advisoryLocks } from '@app/database/advisory-locks';
import { eq } from 'drizzle-orm';
import { seedSampleAccounts } from '@app/api/auth/seed-accounts';
import type { SecretBox } from '@app/api/platform/request-context';
import { sealCredentials } from '@app/api/platform/stored-credentials';
import { activities } from '@app/database/activity/activity-tables';
import { campaigns } from '@app/database/campaigns/campaigns-tables';
import { channels } from '@app/database/channels/channels-tables';
import { contacts } from '@app/database/contacts/contacts-tables';
import type { Database, Queries } from '@app/database/database';
import { newId } from '@app/database/new-id';
import { templates } from '@app/database/templates/templates-tables';
import { workspaces } from '@app/database/workspaces/workspaces-tables';
import { templateVariables } from '@app/domain/templates/template-rendering';
import { bodyTextOf } from '@app/domain/templates/template';
import { seedConversations } from './sample-conversations.ts';
import { seedHistory } from './sample-history.ts';
import { seedPages } from './seed-pages.ts';
import { sampleContacts, sampleTemplates } from './sample-content.ts';
import { sandboxChannel } from './sandbox-channel.ts';

const DAY_MS = 86_400_000;
/** Where calls of a number go. */
const CALLS = 'baseUrl';

/**
 * Creates the sample workspace once and points its number at the sandbox of this start. What people changed in it
 * since stays as it is.
 */
export async function seedSample(
  db: Database,
  { secrets, sandboxUrl, now }: { secrets: SecretBox; sandboxUrl: string; now: Date },
): Promise<string> {
  const workspaceId = await seedSampleAccounts(db);
  const { kind, displayName, credentialsAt } = sandboxChannel;
  const sealed = await sealCredentials(kind.credentials, credentialsAt(sandboxUrl), secrets);
  await db.inSystem(async (tx, client) => {
    await client.query('SELECT pg_advisory_xact_lock($1)', [advisoryLocks.sample]);
    const known = await tx.select().from(channels).where(eq(channels.workspaceId, workspaceId));
    if (known.length > 0) return pointAtSandbox(tx, known, sealed);
    const channelId = newId();
    await tx.insert(channels).values({
      ...{ id: channelId, workspaceId, kind: kind.name, displayName, ...sealed },
      ...{ isConnected: true, lastSyncAt: now, messagesPerSecond: kind.rates.messagesPerSecond },
    });
    await tx
      .update(workspaces)
      .set({
        settings: { businessName: 'Sample Business' },
        plan: 'professional',
        trialEndsAt: new Date(now.getTime() + 14 * DAY_MS),
      })
      .where(eq(workspaces.id, workspaceId));
    const contactIds = await seedContacts(tx, workspaceId, now);
    const templateRows = await seedTemplates(tx, workspaceId, now);
    const [welcome] = templateRows;
    const templateIds = templateRows.map(({ id }) => id);
    const campaignId = await seedCampaign(tx, workspaceId, { contactIds, template: welcome, now });
    await seedHistory(client, { workspaceId, channelId, campaignId, contactIds, now });
    await seedConversations(client, { workspaceId, channelId, contactIds, now });
    await seedPages({ tx, client, secrets, workspaceId, contactIds, templateIds, now });
    await seedActivities(tx, workspaceId, { contactIds, templateId: welcome?.id, campaignId, now });
  });
  return workspaceId;
}

type Channel = typeof channels.$inferSelect;

/**
 * The sample number, and those that people added at the same sandbox, call the one of this start. What opens them is theirs to change; a number that
 * nobody is connected to is opened as the sandbox knows it.
 */
async function pointAtSandbox(
  tx: Queries,
  known: readonly Channel[],
  sealed: Pick<Channel, 'address' | 'credentials'>,
): Promise<void> {
  const { kind } = sandboxChannel;
  const sample = known.find(({ kind: name, address }) => name === kind.name && address === sealed.address);
  if (!sample) return;
  const before = callsOf(sample);
  for (const channel of known) {
    if (channel.kind !== kind.name || callsOf(channel) !== before) continue;
    const isSample = channel.id === sample.id;
    const { values, version } = channel.credentials;
    const isOurs = isSample && (!channel.isConnected || version !== sealed.credentials.version);
    const moved = { ...channel.credentials, values: { ...values, [CALLS]: callsOf(sealed) ?? '' } };
    await tx
      .update(channels)
      .set({ credentials: isOurs ? sealed.credentials : moved })
      .where(eq(channels.id, channel.id));
  }
}

function callsOf({ credentials }: Pick<Channel, 'credentials'>): string | undefined {
  return credentials.values[CALLS];
}

async function seedContacts(tx: Queries, workspaceId: string, now: Date): Promise<string[]> {
  const rows = sampleContacts.map((contact, index) => ({
    ...contact,
    id: newId(),
    workspaceId,
    tags: [...contact.tags],
    status: 'active' as const,
    source: 'form',
    version: 1,
    createdAt: new Date(now.getTime() - (40 - index) * DAY_MS),
    updatedAt: now,
  }));
  await tx.insert(contacts).values(rows);
  return rows.map(({ id }) => id);
}

async function seedTemplates(tx: Queries, workspaceId: string, now: Date) {
  const rows = sampleTemplates.map(({ components, ...template }, index) => ({
    ...template,
    id: newId(),
    workspaceId,
    components,
    content: bodyTextOf(components),
    variables: templateVariables(components),
    createdAt: new Date(now.getTime() - (30 - index) * DAY_MS),
  }));
  await tx.insert(templates).values(rows);
  return rows;
}

async function seedCampaign(
  tx: Queries,
  workspaceId: string,
  {
    contactIds,
    template,
    now,
  }: { contactIds: string[]; template: { id: string; name: string } | undefined; now: Date },
): Promise<string> {
  const id = newId();
  await tx.insert(campaigns).values({
    ...{
      id,
      workspaceId,
      name: 'Welcome Campaign',
      variables: {},
      audience: { contactIds },
      audienceSize: contactIds.length,
    },
    templateId: template?.id ?? null,
    templateName: template?.name ?? null,
    createdAt: new Date(now.getTime() - 7 * DAY_MS),
  });
  return id;
}

async function seedActivities(
  tx: Queries,
  workspaceId: string,
  about: { contactIds: string[]; templateId: string | undefined; campaignId: string; now: Date },
): Promise<void> {
  const { contactIds, templateId, campaignId, now } = about;
  const started = { name: 'Welcome Campaign', isScheduled: false };
  const entries = [
    ['create', 'contacts', 'contact.created', { name: 'Ann Lee' }, contactIds[0], 40],
    ['create', 'templates', 'template.created', { name: 'Welcome Message' }, templateId, 30],
    ['send', 'campaigns', 'campaign.started', started, campaignId, 7],
  ] as const;
  await tx.insert(activities).values(
    entries.map(([type, resource, factType, values, subjectId, daysAgo]) => ({
      ...{ id: newId(), workspaceId, userId: null, userName: 'Amara Okafor', type, resource },
      ...{ factType, values, subjectId: subjectId ?? null },
      metadata: { sample: true },
      occurredAt: new Date(now.getTime() - daysAgo * DAY_MS),
    })),
  );
}
