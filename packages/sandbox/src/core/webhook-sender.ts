import http from 'node:http';
import https from 'node:https';
import { RecentList } from './recent-list.ts';
import { serializeWebhook, signWebhook } from './webhook-signature.ts';

export interface WebhookTarget {
  url: string;
  appSecret: string;
  /** How a platform signs; without it as the WhatsApp platform does. */
  sign?: (secret: string, body: Buffer) => Record<string, string>;
}

export interface OutgoingWebhook {
  target: WebhookTarget;
  payload: unknown;
  /** One line for the log, such as `messages: 3 statuses`. */
  summary: string;
  /** Called once, when the receiver answered 200 for the first time. */
  onDelivered?: () => void;
}

/** Gives webhooks on demand, so that a slow receiver costs no memory for bodies that cannot leave yet. */
export type WebhookSource = () => OutgoingWebhook | undefined;

export interface WebhookAttempt {
  at: number;
  status: number | null;
  error: string | null;
  milliseconds: number;
}

export interface WebhookRecord {
  id: number;
  createdAt: number;
  url: string;
  summary: string;
  state: 'pending' | 'delivered' | 'dropped';
  attempts: WebhookAttempt[];
  attemptCount: number;
  body: Buffer | null;
}

export interface WebhookSettings {
  concurrency: number;
  timeoutMs: number;
  retryBaseMs: number;
  retryCapMs: number;
  duplicateRate: number;
  reorder: number;
  signature: 'valid' | 'wrong' | 'missing';
}

interface Job {
  webhook: { target: WebhookTarget; onDelivered?: () => void };
  record: WebhookRecord;
  body: Buffer;
  dueAt: number;
  isCopy: boolean;
}

const GIVE_UP_AFTER_MS = 7 * 24 * 3_600_000;
// Above this many rendered bodies the sources are left alone until the receiver is back.
const BACKLOG_LIMIT = 1000;
const LOGGED_BODY_LIMIT = 256 * 1024;

export class WebhookSender {
  readonly log = new RecentList<WebhookRecord>(300);
  readonly counts = { delivered: 0, failedAttempts: 0, dropped: 0, duplicates: 0 };
  readonly #settings: () => WebhookSettings;
  readonly #random: () => number;
  readonly #sources: WebhookSource[] = [];
  readonly #agents = {
    http: new http.Agent({ keepAlive: true, maxSockets: 256 }),
    https: new https.Agent({ keepAlive: true, maxSockets: 256 }),
  };
  #ready: Job[] = [];
  #waiting: Job[] = [];
  #inFlight = 0;
  #nextId = 1;
  #ticker: NodeJS.Timeout | undefined;
  #isClosed = false;
  #generation = 0;

  constructor(settings: () => WebhookSettings, random: () => number) {
    this.#settings = settings;
    this.#random = random;
  }

  addSource(source: WebhookSource): void {
    this.#sources.push(source);
  }

  get pending(): number {
    return this.#ready.length + this.#waiting.length + this.#inFlight;
  }

  send(webhook: OutgoingWebhook): void {
    this.#ready.push(this.#jobFor(webhook));
    this.pump();
  }

  /** Sends the body of a logged webhook once more, to where it went before. */
  replay(id: number, appSecret: string): boolean {
    const record = this.log.find((item) => item.id === id);
    if (!record?.body) return false;
    const webhook = { target: { url: record.url, appSecret } };
    this.#ready.push({ webhook, record, body: record.body, dueAt: 0, isCopy: true });
    this.pump();
    return true;
  }

  /** Starts as many deliveries as the concurrency allows. */
  pump(): void {
    if (this.#isClosed) return;
    const settings = this.#settings();
    while (this.#inFlight < settings.concurrency) {
      const job = this.#takeReady(settings) ?? this.#takeFromSources();
      if (!job) return;
      this.#inFlight++;
      void this.#deliver(job, settings, this.#generation);
    }
  }

  /** Forgets what waits and what was logged. */
  clear(): void {
    this.#generation++;
    this.#ready = [];
    this.#waiting = [];
    this.log.clear();
    Object.assign(this.counts, { delivered: 0, failedAttempts: 0, dropped: 0, duplicates: 0 });
  }

  close(): void {
    this.#isClosed = true;
    this.clear();
    clearInterval(this.#ticker);
    this.#agents.http.destroy();
    this.#agents.https.destroy();
  }

  #takeReady(settings: WebhookSettings): Job | undefined {
    if (this.#ready.length > 1 && settings.reorder > 0 && this.#random() < settings.reorder) {
      return this.#ready.splice(Math.floor(this.#random() * this.#ready.length), 1)[0];
    }
    return this.#ready.shift();
  }

  #takeFromSources(): Job | undefined {
    if (this.#waiting.length >= BACKLOG_LIMIT) return undefined;
    for (const source of this.#sources) {
      const webhook = source();
      if (webhook) return this.#jobFor(webhook);
    }
    return undefined;
  }

  #jobFor(webhook: OutgoingWebhook): Job {
    const body = serializeWebhook(webhook.payload);
    const record: WebhookRecord = {
      id: this.#nextId++,
      createdAt: Date.now(),
      url: webhook.target.url,
      summary: webhook.summary,
      state: 'pending',
      attempts: [],
      attemptCount: 0,
      body: body.length <= LOGGED_BODY_LIMIT ? body : null,
    };
    this.log.add(record);
    return { webhook, record, body, dueAt: 0, isCopy: false };
  }

  async #deliver(job: Job, settings: WebhookSettings, generation: number): Promise<void> {
    const startedAt = Date.now();
    const { status, error } = await this.#post(job, settings);
    this.#inFlight--;
    if (generation !== this.#generation || this.#isClosed) return this.pump();
    const { record } = job;
    record.attemptCount++;
    record.attempts.push({ at: startedAt, status, error, milliseconds: Date.now() - startedAt });
    if (record.attempts.length > 12) record.attempts.splice(1, 1);
    if (status === 200) this.#settle(job, settings);
    else this.#retryLater(job, settings);
    this.pump();
  }

  #settle(job: Job, settings: WebhookSettings): void {
    job.record.state = 'delivered';
    if (job.isCopy) this.counts.duplicates++;
    else {
      this.counts.delivered++;
      job.webhook.onDelivered?.();
      if (settings.duplicateRate > 0 && this.#random() < settings.duplicateRate) {
        this.#wait({ ...job, isCopy: true }, Math.floor(this.#random() * 1500));
      }
    }
    if (this.#waiting.length > 0) this.#wakeTarget(job.webhook.target.url);
  }

  #retryLater(job: Job, settings: WebhookSettings): void {
    this.counts.failedAttempts++;
    if (Date.now() - job.record.createdAt > GIVE_UP_AFTER_MS) {
      job.record.state = 'dropped';
      this.counts.dropped++;
      return;
    }
    const retry = job.record.attemptCount - 1;
    const delay = retry === 0 ? 0 : Math.min(settings.retryBaseMs * 2 ** (retry - 1), settings.retryCapMs);
    this.#wait(job, delay);
  }

  #wait(job: Job, delayMs: number): void {
    job.dueAt = Date.now() + delayMs;
    this.#waiting.push(job);
    if (!this.#ticker) {
      this.#ticker = setInterval(() => this.#wakeDue(), 50);
      this.#ticker.unref();
    }
  }

  #wakeDue(): void {
    const now = Date.now();
    this.#wakeWhere((job) => job.dueAt <= now);
    if (this.#waiting.length === 0) {
      clearInterval(this.#ticker);
      this.#ticker = undefined;
    }
    this.pump();
  }

  /** A receiver that answers again gets what waits for it at once. */
  #wakeTarget(url: string): void {
    this.#wakeWhere((job) => job.webhook.target.url === url && !job.isCopy && job.record.attemptCount > 1);
  }

  #wakeWhere(isAwake: (job: Job) => boolean): void {
    const asleep: Job[] = [];
    for (const job of this.#waiting) (isAwake(job) ? this.#ready : asleep).push(job);
    this.#waiting = asleep;
  }

  #post(job: Job, settings: WebhookSettings): Promise<{ status: number | null; error: string | null }> {
    const headers: Record<string, string | number> = {
      'content-type': 'application/json',
      'content-length': job.body.length,
      'user-agent': job.webhook.target.sign ? 'APIs-Google' : 'facebookexternalua',
      accept: '*/*',
    };
    if (settings.signature !== 'missing') {
      const secret = settings.signature === 'wrong' ? 'not-the-secret' : job.webhook.target.appSecret;
      const { sign } = job.webhook.target;
      if (sign) Object.assign(headers, sign(secret, job.body));
      else headers['x-hub-signature-256'] = signWebhook(secret, job.body);
    }
    return new Promise((resolve) => {
      try {
        const isSecure = job.webhook.target.url.startsWith('https:');
        const request = (isSecure ? https : http).request(
          job.webhook.target.url,
          { method: 'POST', headers, agent: isSecure ? this.#agents.https : this.#agents.http },
          (response) => {
            response.resume();
            response.on('end', () => finish(response.statusCode ?? null, null));
            response.on('error', (error) => finish(null, error.message));
          },
        );
        const timer = setTimeout(() => request.destroy(new Error('no answer in time')), settings.timeoutMs);
        timer.unref();
        const finish = (status: number | null, error: string | null) => {
          clearTimeout(timer);
          resolve({ status, error });
        };
        request.on('error', (error: NodeJS.ErrnoException) => finish(null, error.code ?? error.message));
        request.on('close', () => finish(null, 'connection closed'));
        request.end(job.body);
      } catch (error) {
        resolve({ status: null, error: error instanceof Error ? error.message : String(error) });
      }
    });
  }
}

/** The platform's handshake: a GET that must answer 200 with the challenge as the whole body. */
export async function verifyCallback(
  url: string,
  verifyToken: string,
  challenge: string,
): Promise<{ ok: boolean; status: number | null; error: string | null }> {
  try {
    const address = new URL(url);
    address.searchParams.set('hub.mode', 'subscribe');
    address.searchParams.set('hub.challenge', challenge);
    address.searchParams.set('hub.verify_token', verifyToken);
    const response = await fetch(address, { signal: AbortSignal.timeout(5000), redirect: 'manual' });
    const body = await response.text();
    const ok = response.status === 200 && body === challenge;
    return { ok, status: response.status, error: ok ? null : 'the challenge was not echoed' };
  } catch (error) {
    return { ok: false, status: null, error: error instanceof Error ? error.message : String(error) };
  }
}
