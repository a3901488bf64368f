import { RecentList } from '../core/recent-list.ts';
import type { JsonObject } from '../core/json.ts';

/** What the stand-in says to a message that has these words, in any case. */
export interface ScriptedAnswer {
  contains: string;
  text: string;
  /** Between 0 and 1; stands in structured answers. */
  confidence: number;
}

const faults = ['none', 'garbage', 'empty', 'large', 'html', 'cut'] as const;
export type Fault = (typeof faults)[number];

/** Switches of the stand-in. */
export interface OpenAiBehaviour {
  answers: ScriptedAnswer[];
  /** How long a call takes. */
  latencyMs: number;
  /** The part of the calls that fail, between 0 and 1. With 0 and a `status` all of them fail. */
  failRate: number;
  /** The status of calls that fail, such as 401, 429 or 500; 0: none fails by it. */
  status: number;
  /** `Retry-After` of a failing call, in seconds; null for none. */
  retryAfterSeconds: number | null;
  /** What is wrong with completions that do not fail: no JSON, nothing, 1 MB, a page of HTML, cut off by the limit of tokens. */
  fault: Fault;
  /** The models that there are. A call that names another one is answered 404, as after a model was removed. */
  models: string[];
}

export const OPENAI_KEY = 'sandbox-openai-key';
export const CHAT_MODEL = 'sandbox-chat';
export const EMBEDDING_MODEL = 'sandbox-embedding';

const ordinary: OpenAiBehaviour = {
  ...{ answers: [], latencyMs: 0, failRate: 0, status: 0, retryAfterSeconds: null, fault: 'none' },
  models: [CHAT_MODEL, 'sandbox-chat-small', EMBEDDING_MODEL],
};

export interface OpenAiCall {
  at: string;
  path: string;
  status: number;
  model: string | null;
  /** The body as it came. */
  body: JsonObject;
  /** What was said; null for other calls. */
  answer: string | null;
}

/** One account of the vendor. */
export class OpenAiService {
  behaviour: OpenAiBehaviour = structuredClone(ordinary);
  readonly calls = new RecentList<OpenAiCall>(500);
  #nextId = 1;

  reset(): void {
    this.behaviour = structuredClone(ordinary);
    this.calls.clear();
    this.#nextId = 1;
  }

  newId(prefix: string): string {
    return `${prefix}-sandbox-${this.#nextId++}`;
  }

  fails(): boolean {
    const { failRate, status } = this.behaviour;
    if (failRate > 0) return Math.random() < failRate;
    return status !== 0 && status !== 200;
  }
}
