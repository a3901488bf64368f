import { knowledgeLimits, type KnowledgeProblem } from '@app/domain/chatbot/knowledge/knowledge-rules';
import type { TextReader } from '@app/domain/chatbot/knowledge/text-reader';
import type { OutgoingCalls } from '@app/domain/network/outgoing-calls';

/** The text of a web page, through the guarded port: private addresses are refused, also behind redirects. */
export async function readAddress(
  { calls, readText }: { calls: OutgoingCalls; readText: TextReader },
  { url, workspaceId }: { url: string; workspaceId: string },
): Promise<{ text: string; title: string } | { problem: KnowledgeProblem }> {
  const result = await calls.call({
    ...{ service: `knowledge:${workspaceId}`, limit: { perSecond: 2, atOnce: 2 }, url },
    headers: { accept: 'text/html, text/plain, application/pdf, text/markdown' },
    ...{ timeoutMs: 20_000, redirects: 3, largestResponse: knowledgeLimits.page, retry: { attempts: 2 } },
  });
  if (result.outcome === 'not_sent')
    return {
      problem: ['invalid_address', 'address_refused'].includes(result.reason)
        ? 'address_refused'
        : 'unreachable',
    };
  if (result.outcome === 'unknown') return { problem: 'unreachable' };
  const { response } = result;
  if (result.outcome === 'rejected') {
    if (result.reason === 'redirect_refused') return { problem: 'address_refused' };
    return { problem: response.status === 404 || response.status === 410 ? 'not_found' : 'unreachable' };
  }
  if (!response.isComplete)
    return { problem: response.body.byteLength >= knowledgeLimits.page ? 'too_large' : 'unreachable' };
  const type = typeOf(response.headers['content-type'] ?? 'text/html');
  if (type === null) return { problem: 'wrong_type' };
  const read = await readText(type, response.body);
  return read.outcome === 'read' ? { text: read.text, title: read.title || url } : { problem: read.problem };
}

function typeOf(contentType: string): 'html' | 'pdf' | 'txt' | null {
  if (/^application\/pdf/i.test(contentType)) return 'pdf';
  if (/^(text\/html|application\/xhtml\+xml)/i.test(contentType)) return 'html';
  return /^(text\/|application\/json)/i.test(contentType) ? 'txt' : null;
}
