import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { type Agent, type Dispatcher, request } from 'undici';
import type { PlatformDownload, PlatformFile } from '@app/domain/channels/open-channel';
import { createGuardedAgent } from '../guarded-agent.ts';
import { ProviderRejected, ProviderUnreachable } from '../provider-errors.ts';
import { type GraphCalls, pathSegment } from './graph-calls.ts';

export type MediaInfo = {
  id: string;
  url: string;
  mimeType: string;
  sha256: string | null;
  size: number | null;
};

export type MediaDownload = PlatformDownload;

export type MediaCalls = {
  /** Returns the media id, valid 30 days for the number that uploaded it. */
  uploadMedia(source: PlatformFile, onProgress?: UploadProgress): Promise<string>;
  getMedia(mediaId: string): Promise<MediaInfo>;
  /** Streams the file; reading it fails once `maxBytes` are exceeded. */
  downloadMedia(mediaId: string, maxBytes?: number): Promise<MediaDownload>;
  /** The picture of a profile, which lies open under its address. */
  downloadPicture(url: string, maxBytes: number): Promise<MediaDownload>;
  deleteMedia(mediaId: string): Promise<void>;
  /** Returns the handle for a template sample or a profile picture. */
  uploadResumable(source: PlatformFile, onProgress?: UploadProgress): Promise<string>;
};

export type UploadProgress = (sentBytes: number, totalBytes: number) => void;

const largestInboundBytes = 100 * 1024 * 1024;
const uploadMs = 15 * 60_000;
const uploadTries = 4;

export function createMediaCalls(
  graph: GraphCalls,
  context: MediaContext,
): MediaCalls & { close(): Promise<void> } {
  const phoneNumberId = pathSegment(context.phoneNumberId);
  // Files live on another host than Graph, so they have connections of their own. The addresses come from outside: only the host of Graph may be private.
  const agent = createGuardedAgent({
    namedHosts: [new URL(context.graphOrigin).hostname],
    ...{ connections: 8, headersTimeout: 20_000, bodyTimeout: 30_000 },
  });

  async function getMedia(mediaId: string): Promise<MediaInfo> {
    const answer = await graph.call('GET', pathSegment(mediaId), {
      query: { phone_number_id: context.phoneNumberId },
    });
    const { url, mime_type: mimeType, sha256, file_size: size } = answer;
    if (typeof url !== 'string') throw new ProviderUnreachable('after_send', 'response_unreadable');
    return {
      id: mediaId,
      url,
      mimeType: typeof mimeType === 'string' ? mimeType : 'application/octet-stream',
      sha256: readDigest(sha256),
      size: Number.isFinite(Number(size)) && size !== null && size !== undefined ? Number(size) : null,
    };
  }

  return {
    getMedia,
    async uploadMedia(source, onProgress) {
      const boundary = `upload-${randomUUID()}`;
      const head = Buffer.from(
        `${field(boundary, 'messaging_product', 'whatsapp')}${field(boundary, 'type', source.mimeType)}` +
          `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="${safeFilename(source.name)}"\r\n` +
          `content-type: ${source.mimeType}\r\n\r\n`,
      );
      const tail = Buffer.from(`\r\n--${boundary}--\r\n`);
      const length = head.length + source.size + tail.length;
      const answer = await graph.call('POST', `${phoneNumberId}/media`, {
        headers: [
          'content-type',
          `multipart/form-data; boundary=${boundary}`,
          'content-length',
          String(length),
        ],
        body: Readable.from(surround(head, source.open(0), tail)),
        totalMs: uploadMs,
        onBodySent: countProgress(source.size, head.length, 0, onProgress),
      });
      return readId(answer['id']);
    },
    async downloadMedia(mediaId, maxBytes = largestInboundBytes) {
      for (let attempt = 1; ; attempt += 1) {
        const media = await getMedia(mediaId);
        const response = await fetchFile(agent, media.url, context, context.accessToken);
        if (response.statusCode === 200) {
          const { mimeType, size, sha256 } = media;
          return {
            ...{ mimeType, size, sha256 },
            content: limitSize(response.body, maxBytes),
            cancel: async () => void response.body.destroy(),
          };
        }
        await response.body.dump();
        // The address lives five minutes; a fresh one is worth one more try.
        if (response.statusCode !== 404 || attempt === 2) throw fileRefused(response.statusCode);
      }
    },
    async downloadPicture(url, maxBytes) {
      const response = await fetchFile(agent, url, context, null);
      if (response.statusCode === 200) {
        const mimeType = String(response.headers['content-type'] ?? 'application/octet-stream');
        return {
          ...{ mimeType, size: null, sha256: null },
          content: limitSize(response.body, maxBytes),
          cancel: async () => void response.body.destroy(),
        };
      }
      await response.body.dump();
      throw fileRefused(response.statusCode);
    },
    async deleteMedia(mediaId) {
      await graph.call('DELETE', pathSegment(mediaId), { query: { phone_number_id: context.phoneNumberId } });
    },
    async uploadResumable(source, onProgress) {
      const session = await graph.call('POST', `${pathSegment(context.appId)}/uploads`, {
        query: { file_name: source.name, file_length: source.size, file_type: source.mimeType },
      });
      // The id may carry a query of its own and is used as it came.
      const upload = readId(session['id']);
      let offset = 0;
      for (let attempt = 1; ; attempt += 1) {
        try {
          const answer = await graph.call('POST', upload, {
            authorization: `OAuth ${context.accessToken}`,
            headers: [
              'file_offset',
              String(offset),
              'content-type',
              'application/octet-stream',
              'content-length',
              String(source.size - offset),
            ],
            body: Readable.from(source.open(offset)),
            totalMs: uploadMs,
            onBodySent: countProgress(source.size, 0, offset, onProgress),
          });
          return readId(answer['h']);
        } catch (error) {
          if (!(error instanceof ProviderUnreachable) || attempt === uploadTries) throw error;
          offset = await readOffset(graph, upload, source.size, offset);
        }
      }
    },
    async close() {
      await agent.close();
    },
  };
}

export type MediaContext = {
  phoneNumberId: string;
  appId: string;
  accessToken: string;
  /** Files over plain http are accepted only when Graph itself is reached that way. */
  graphOrigin: string;
};

/** Hexadecimal; the platform writes it so here, and in base64 elsewhere. */
function readDigest(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  if (/^[0-9a-f]{64}$/i.test(value)) return value.toLowerCase();
  const bytes = Buffer.from(value, 'base64');
  return bytes.length === 32 ? bytes.toString('hex') : null;
}

async function readOffset(graph: GraphCalls, upload: string, size: number, known: number): Promise<number> {
  const answer = await graph.call('GET', upload);
  const offset = Number(answer['file_offset']);
  return Number.isInteger(offset) && offset >= 0 && offset <= size ? offset : known;
}

async function fetchFile(
  agent: Agent,
  firstUrl: string,
  context: MediaContext,
  token: string | null,
): Promise<Dispatcher.ResponseData> {
  const firstOrigin = readOrigin(firstUrl, context);
  let url = firstUrl;
  for (let hop = 0; ; hop += 1) {
    const isFirst = readOrigin(url, context) === firstOrigin;
    let response: Dispatcher.ResponseData;
    try {
      response = await request(url, {
        dispatcher: agent,
        headers: isFirst && token !== null ? { authorization: `Bearer ${token}` } : {},
      });
    } catch {
      throw new ProviderUnreachable('after_send', 'connection_lost');
    }
    const location = response.headers['location'];
    if (
      response.statusCode < 300 ||
      response.statusCode >= 400 ||
      typeof location !== 'string' ||
      hop === 3
    ) {
      return response;
    }
    await response.body.dump();
    url = new URL(location, url).href;
  }
}

function readOrigin(url: string, context: MediaContext): string {
  const parsed = URL.parse(url);
  const isPlain = parsed?.protocol === 'http:' && context.graphOrigin.startsWith('http:');
  if (parsed === null || (parsed.protocol !== 'https:' && !isPlain)) {
    throw new ProviderUnreachable('before_send', 'invalid_message');
  }
  return parsed.origin;
}

async function* limitSize(body: AsyncIterable<Uint8Array>, maxBytes: number): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > maxBytes) throw new ProviderUnreachable('after_send', 'response_too_large');
    yield chunk;
  }
}

async function* surround(
  head: Uint8Array,
  content: AsyncIterable<Uint8Array>,
  tail: Uint8Array,
): AsyncGenerator<Uint8Array> {
  yield head;
  yield* content;
  yield tail;
}

function field(boundary: string, name: string, value: string): string {
  return `--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
}

function safeFilename(name: string): string {
  return name.replace(/[\r\n\0]/g, '').replace(/["\\]/g, '_');
}

function countProgress(
  size: number,
  overhead: number,
  offset: number,
  onProgress: UploadProgress | undefined,
): (bytes: number) => void {
  let sent = -overhead;
  return (bytes) => {
    sent += bytes;
    onProgress?.(Math.min(size, Math.max(0, offset + sent)), size);
  };
}

function readId(value: unknown): string {
  if (typeof value === 'string' && value !== '') return value;
  if (typeof value === 'number') return String(value);
  throw new ProviderUnreachable('after_send', 'response_unreadable');
}

function fileRefused(status: number): ProviderRejected {
  const error = { code: `http_${status}`, title: 'The media file could not be fetched', httpStatus: status };
  return new ProviderRejected(error, status, status >= 500 || status === 429);
}
