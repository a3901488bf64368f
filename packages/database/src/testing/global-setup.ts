import { startTestCluster } from './test-cluster.ts';

/** Vitest calls this once for a run: one throw-away server for all test files, unless one is given. */
export async function setup(): Promise<(() => Promise<void>) | undefined> {
  if (process.env.TEST_DATABASE_URL) return undefined;
  const cluster = await startTestCluster(
    process.env.TEST_DATABASE_SERVER === 'system' ? 'system' : 'embedded',
  );
  process.env.TEST_DATABASE_URL = cluster.url;
  const stop = async () => {
    delete process.env.TEST_DATABASE_URL;
    await cluster.stop();
  };
  process.once('exit', () => void cluster.stop());
  return stop;
}
