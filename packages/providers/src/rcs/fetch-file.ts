import { type Agent, request } from 'undici';
import type { DownloadAnswer, PlatformDownload } from '@app/domain/channels/open-channel';
import { createGuardedAgent } from '../guarded-agent.ts';

const MOST_REDIRECTS = 3;

export type FileFetcher = {
  /** The file that a person sent, at the address that the platform gave for it. Never throws. */
  fetch(address: string, maxBytes: number): Promise<DownloadAnswer>;
  close(): Promise<void>;
};

/**
 * Addresses of files come from outside and open without a sign-in: only the open network is called, and the host of a stand-in, which may be
 * this machine.
 */
export function createFileFetcher(baseUrl: string): FileFetcher {
  const base = URL.parse(baseUrl);
  const isStandIn = base?.protocol === 'http:';
  const agent = createGuardedAgent({
    namedHosts: isStandIn ? [base.hostname] : [],
    ...{ connections: 8, headersTimeout: 20_000, bodyTimeout: 30_000 },
  });
  return {
    async fetch(address, maxBytes) {
      try {
        return await follow(agent, address, { maxBytes, isStandIn });
      } catch {
        return { outcome: 'unreachable' };
      }
    },
    close: () => agent.close(),
  };
}

async function follow(
  agent: Agent,
  address: string,
  { maxBytes, isStandIn }: { maxBytes: number; isStandIn: boolean },
): Promise<DownloadAnswer> {
  let url = URL.parse(address);
  for (let hop = 0; ; hop += 1) {
    if (!url || !(url.protocol === 'https:' || (isStandIn && url.protocol === 'http:')))
      return { outcome: 'refused', reason: 'address' };
    const response = await request(url, { dispatcher: agent });
    const { statusCode: status, headers, body } = response;
    if (status === 200) return { outcome: 'done', value: describe(headers, body, maxBytes) };
    await body.dump();
    const location = headers['location'];
    if (status >= 300 && status < 400 && typeof location === 'string' && hop < MOST_REDIRECTS)
      url = URL.parse(location, url.href);
    else if (status === 403 || status === 404 || status === 410) return { outcome: 'gone' };
    else if (status >= 500 || status === 429) return { outcome: 'unreachable' };
    else return { outcome: 'refused', reason: String(status) };
  }
}

function describe(
  headers: Record<string, string | string[] | undefined>,
  body: AsyncIterable<Uint8Array> & { destroy(): unknown },
  maxBytes: number,
): PlatformDownload {
  const type = headers['content-type'];
  const size = Number(headers['content-length']);
  return {
    mimeType: typeof type === 'string' ? type : 'application/octet-stream',
    ...{ size: Number.isInteger(size) && size > 0 ? size : null, sha256: null },
    content: limitSize(body, maxBytes),
    cancel: async () => void body.destroy(),
  };
}

async function* limitSize(body: AsyncIterable<Uint8Array>, maxBytes: number): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > maxBytes) throw new Error('The file is larger than it may be.');
    yield chunk;
  }
}
