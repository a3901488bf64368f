import { startEmbeddedPostgres } from '../src/embedded/embedded-postgres.ts';

const dataDir = process.argv[2];
if (!dataDir) throw new Error('Usage: run-embedded-postgres.ts DATA_DIR');
const cluster = await startEmbeddedPostgres({
  dataDir,
  logger: { info() {}, warn() {}, error: console.error },
});
console.log(cluster.url('postgres'));
setInterval(() => {}, 60_000);
