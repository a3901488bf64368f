import { createServer } from 'node:http';

createServer((_request, response) => response.end('OK')).listen(0, '127.0.0.1', () => {
  setTimeout(() => process.send?.({ rssKb: process.resourceUsage().maxRSS }), 1_000);
});
process.on('disconnect', () => process.exit(0));
