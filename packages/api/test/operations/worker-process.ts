import { openDatabase } from '@app/database/database';
import { indexConnectorKinds } from '@app/domain/integrations/connector-kind';
import { createOutgoingCalls } from '@app/providers/calls/outgoing-calls';
import { zapierConnector } from '@app/providers/zapier/zapier-connector';
import { consumers, enqueuedJobs, workers } from '../../src/features.ts';
import { openFactLog } from '../../src/platform/facts/fact-log.ts';
import { openJobs } from '../../src/platform/jobs/open-jobs.ts';
import { openLiveEvents } from '../../src/platform/live-events.ts';
import type { ApiDependencies } from '../../src/platform/request-context.ts';

/** A process of its own that works in the background until it is killed; its first argument is the database, the second the sandbox, if there is one. */
const [, , url = '', sandboxUrl] = process.argv;
const logger = { info() {}, warn: console.warn, error: console.error };
const clock = () => new Date();
const db = await openDatabase({ url, poolSize: 6 });
const liveEvents = await openLiveEvents(db, () => {});
const facts = await openFactLog({ db, clock, logger }, consumers);
const jobs = openJobs({ db, logger, kinds: enqueuedJobs, isWorking: true, times: { pollSeconds: 0.5 } });
const secrets = {
  seal: async (text: string) => text,
  open: async (text: string) => text,
  fingerprint: String,
};
// What operations and webhooks need; nothing else is left in these tests.
const calls = createOutgoingCalls({ namedHosts: ['127.0.0.1'] });
const connectorKinds = indexConnectorKinds([{ ...zapierConnector({ sandboxUrl }), limit: {} }]);
const publicUrl = 'http://127.0.0.1:9';
const stores = { db, liveEvents, facts, jobs, clock, logger, secrets };
const parts = { ...stores, calls, connectorKinds, publicUrl } as unknown as ApiDependencies;
jobs.work(parts);
for (const start of workers) start(parts);
process.send?.('ready');
