import { readFileSync } from 'node:fs';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../src/testing/test-database.ts';

type Moved = [
  type: string,
  resource: string,
  sentence: string,
  fact: string,
  values: object,
  metadata?: object,
];
type Kept = [type: string, resource: string, sentence: string];

let database: TestDatabase;
let client: pg.Client;
beforeAll(async () => {
  database = await createTestDatabase();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

const steps: { step: string; moved: Moved[]; kept: Kept[] }[] = [
  {
    step: '0030_more_facts.sql',
    moved: [
      [
        'create',
        'contacts',
        'Added segment VIP for approval',
        'segment.created',
        { name: 'VIP for approval' },
      ],
      ['update', 'contacts', 'Updated segment VIP', 'segment.updated', { name: 'VIP' }],
      ['delete', 'contacts', 'Deleted segment VIP', 'segment.deleted', { name: 'VIP' }],
      ['create', 'templates', 'Created template Welcome', 'template.created', { name: 'Welcome' }],
      ['update', 'templates', 'Updated template Welcome', 'template.updated', { name: 'Welcome' }],
      ['delete', 'templates', 'Deleted template Welcome', 'template.deleted', { name: 'Welcome' }],
      ['update', 'templates', 'Submitted template Hi for approval', 'template.submitted', { name: 'Hi' }],
      ['upload', 'media', 'Uploaded file a b.png', 'media.uploaded', { name: 'a b.png' }],
      ['delete', 'media', 'Deleted file a b.png', 'media.deleted', { name: 'a b.png' }],
      ['update', 'channels', 'Let the stopped WhatsApp number send again', 'channel.resumed', {}],
      ['view', 'dashboard', 'Viewed dashboard', 'dashboard.viewed', {}],
      ['view', 'dashboard', 'Clicked Add New Contact', 'dashboard.clicked', { element: 'Add New Contact' }],
    ],
    kept: [
      ['create', 'contacts', 'Added contact Added segment VIP'],
      ['update', 'contacts', 'Added segment VIP'],
      ['update', 'templates', 'Submitted template Hi'],
      ['upload', 'media', 'Uploaded file '],
      ['view', 'campaigns', 'Clicked Send'],
    ],
  },
  {
    step: '0032_sending_facts.sql',
    moved: [
      ['create', 'campaigns', 'Created campaign Spring', 'campaign.created', { name: 'Spring' }],
      ['update', 'campaigns', 'Updated campaign Spring', 'campaign.updated', { name: 'Spring' }],
      ['delete', 'campaigns', 'Deleted campaign Spring', 'campaign.deleted', { name: 'Spring' }],
      ['send', 'campaigns', 'Started campaign a b', 'campaign.started', { name: 'a b', isScheduled: false }],
      [
        'send',
        'campaigns',
        'Started scheduled campaign a',
        'campaign.started',
        { name: 'a', isScheduled: true },
      ],
      ['send', 'campaigns', 'Resumed campaign Spring', 'campaign.resumed', { name: 'Spring' }],
      ['update', 'campaigns', 'Paused campaign Spring', 'campaign.paused', { name: 'Spring' }],
      ['update', 'campaigns', 'Cancelled campaign Spring', 'campaign.cancelled', { name: 'Spring' }],
      [
        'download',
        'campaigns',
        'Exported the results of campaign A',
        'campaign.results_exported',
        { name: 'A' },
      ],
      ['send', 'campaigns', 'Sends a test message', 'test_message.begun', {}],
      ['update', 'campaigns', 'The platform refused the test message', 'test_message.refused', {}],
      ['update', 'campaigns', 'Nobody knows whether the test message left', 'test_message.lost', {}],
      ['update', 'campaigns', 'The test message was not sent', 'test_message.not_sent', {}],
      [
        ...(['send', 'campaigns', 'Sent again to the failed recipients of a campaign'] as const),
        ...(['campaign.failed_retried', { retryOf: 'c1' }, { campaignId: 'c1', retryId: 'c2' }] as const),
      ],
      [
        ...(['update', 'campaigns', 'Decided 12 unknown recipients of campaign 7 days'] as const),
        'campaign.unknown_decided',
        { resolved: 12, decision: 'mark_sent', name: '7 days' },
        { decision: 'mark_sent' },
      ],
      [
        'send',
        'bulk-message',
        'Sent a bulk message to 300 contacts',
        'bulk_message.sent',
        { recipients: 300 },
      ],
      [
        ...(['send', 'bulk-message', 'Scheduled a bulk message to 1 contacts'] as const),
        ...(['bulk_message.scheduled', { recipients: 1 }] as const),
      ],
      ['login', 'auth', 'Signed in', 'user.signed_in', {}],
      ['logout', 'auth', 'Signed out', 'user.signed_out', {}],
      ['create', 'users', 'Asked to join as manager', 'user.asked_to_join', { role: 'manager' }],
      ['create', 'users', 'Created an account as admin', 'user.created', { role: 'admin' }],
    ],
    kept: [
      ['send', 'campaigns', 'Could not start scheduled campaign Spring'],
      ['update', 'campaigns', 'Created campaign Spring'],
      ['update', 'campaigns', 'Decided 12 unknown recipients of campaign 7 days'],
      ['create', 'users', 'Created an account as owner'],
      ['send', 'bulk-message', 'Sent a bulk message to many contacts'],
    ],
  },
];

test.each(steps)(
  'older entries become the facts that they were by $step; others keep their text',
  async ({ step, moved, kept }) => {
    await client.query('DELETE FROM activities');
    const { rows: made } = await client.query<{ id: string }>(
      `INSERT INTO workspaces (id, slug, name) VALUES (gen_random_uuid(), $1, 'Acme') RETURNING id`,
      [step.slice(0, 4)],
    );
    const earlier: [...Kept, ...rest: unknown[]][] = [...moved, ...kept];
    for (const [type, resource, sentence, , , metadata = {}] of earlier)
      await client.query(
        `INSERT INTO activities (id, workspace_id, user_name, type, resource, description, metadata, occurred_at)
       VALUES (gen_random_uuid(), $1, 'Ann', $2, $3, $4, $5, now())`,
        [made[0]!.id, type, resource, sentence, metadata],
      );
    const text = readFileSync(new URL(`../src/migrations/${step}`, import.meta.url), 'utf8');
    const updates = text
      .split('--> statement-breakpoint')
      .filter((part) => part.includes('UPDATE activities'));
    for (const update of updates) await client.query(update);
    const { rows } = await client.query(
      'SELECT type, resource, description, fact_type, "values" FROM activities',
    );
    const expected = [
      ...moved.map(([type, resource, , factType, values]) => {
        return { type, resource, description: null, fact_type: factType, values };
      }),
      ...kept.map(([type, resource, description]) => {
        return { type, resource, description, fact_type: null, values: {} };
      }),
    ];
    expect(rows).toEqual(expect.arrayContaining(expected));
    expect(rows).toHaveLength(expected.length);
  },
);
