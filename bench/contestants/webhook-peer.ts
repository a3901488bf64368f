import { createServer } from 'node:http';
import { parseWebhook } from '@app/providers/whatsapp-cloud/webhooks/parse-webhook';
import { isSignedBy } from '@app/providers/whatsapp-cloud/webhooks/webhook-signature';
import pg from 'pg';

// The same signature and parsing without a database, or with the usual INSERT per request.

const [secret = '', databaseUrl = ''] = process.argv.slice(2);
const pool = databaseUrl === '' ? null : new pg.Pool({ connectionString: databaseUrl, max: 20 });
await pool?.query(
  'CREATE TABLE IF NOT EXISTS bench_inbox (id bigserial PRIMARY KEY, dedup_key text NOT NULL, body jsonb NOT NULL)',
);

createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    void (async () => {
      const body = Buffer.concat(chunks);
      const signature = request.headers['x-hub-signature-256'];
      if (!isSignedBy(secret, body, typeof signature === 'string' ? signature : null)) {
        response.writeHead(401).end();
        return;
      }
      for (const event of parseWebhook(body) ?? [])
        if (pool)
          await pool.query('INSERT INTO bench_inbox (dedup_key, body) VALUES ($1, $2)', [
            event.dedupKey,
            JSON.stringify(event.raw),
          ]);
      response.writeHead(200).end('OK');
    })();
  });
}).listen(0, '127.0.0.1', function (this: { address(): unknown }) {
  process.send?.({ port: (this.address() as { port: number }).port });
});
process.on('disconnect', () => process.exit(0));
