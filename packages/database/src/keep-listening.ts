import type pg from 'pg';

export type ListeningOptions = {
  pool: pg.Pool;
  channels: readonly string[];
  onNotification(channel: string, payload: string): void;
  /** Notifications may be missing: the connection was lost, and stands again. */
  onGap(): void;
  /** The connection was lost, or could not be had again. */
  onTrouble(error: unknown): void;
  /** Asked of each new connection and every few seconds: that it answers shows that the connection stands. */
  beat?(client: pg.PoolClient): Promise<unknown>;
  beatMs?: number;
};

export type Listening = { close(): Promise<void> };

/** As the server's list of connections shows it. */
export const LISTENER_NAME = 'messaging listener';

const BEAT_MS = 5_000;
const SILENT_MS = 10_000;
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;

/**
 * Listens on one connection at a time, and on another one when it is lost: the only loop in the product that does. Rejects
 * when the first connection cannot be had.
 */
export async function keepListening(options: ListeningOptions): Promise<Listening> {
  const closing = new AbortController();
  const first = await listen(options);
  const running = follow(first, options, closing.signal);
  return {
    async close() {
      closing.abort();
      await running;
    },
  };
}

type Connection = {
  /** Resolves with what ended it. */
  lost: Promise<unknown>;
  release(): void;
};

async function follow(first: Connection, options: ListeningOptions, closing: AbortSignal): Promise<void> {
  const closed = new Promise<undefined>((resolve) =>
    closing.addEventListener('abort', () => resolve(undefined)),
  );
  for (let connection: Connection | undefined = first; connection;) {
    const error = await Promise.race([connection.lost, closed]);
    connection.release();
    if (closing.aborted) return;
    options.onTrouble(error);
    connection = await listenAgain(options, closing, closed);
    if (connection) options.onGap();
  }
}

async function listenAgain(
  options: ListeningOptions,
  closing: AbortSignal,
  closed: Promise<undefined>,
): Promise<Connection | undefined> {
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
    await waitFor(pause, closing);
    if (closing.aborted) return undefined;
    const trying = listen(options);
    try {
      // Who closes does not wait for a connection that nobody needs any more.
      const connection = await Promise.race([trying, closed]);
      if (connection) return connection;
      void trying.then(
        (late) => late.release(),
        () => undefined,
      );
      return undefined;
    } catch (error) {
      options.onTrouble(error);
    }
  }
}

/** The connection goes back to its pool, and is closed there, when any step of this fails. */
async function listen({ pool, channels, onNotification, ...options }: ListeningOptions): Promise<Connection> {
  const { beat = (it) => it.query('SELECT 1'), beatMs = BEAT_MS } = options;
  const client = await pool.connect();
  const ended = new AbortController();
  const lose = (error?: unknown): void =>
    ended.abort(error ?? new Error('The connection that listened has ended.'));
  // A server that shuts down says so, and then closes the connection: two events, one loss.
  client.on('error', lose);
  client.on('end', lose);
  client.on('notification', ({ channel, payload }) => onNotification(channel, payload ?? ''));
  try {
    const listens = channels.map((channel) => `LISTEN ${channel}`);
    await client.query([`SET application_name = '${LISTENER_NAME}'`, ...listens].join('; '));
    await beat(client);
  } catch (error) {
    client.release(true);
    throw error;
  }
  void keepBeating(() => beat(client), beatMs, ended.signal).catch(lose);
  const lost = new Promise<unknown>((resolve) => {
    const tell = (): void => resolve(ended.signal.reason);
    if (ended.signal.aborted) tell();
    else ended.signal.addEventListener('abort', tell);
  });
  return {
    lost,
    release() {
      lose();
      client.release(true);
    },
  };
}

/** Rejects as soon as a beat fails or is not answered. */
async function keepBeating(beat: () => Promise<unknown>, everyMs: number, ended: AbortSignal): Promise<void> {
  for (;;) {
    await waitFor(everyMs, ended);
    if (ended.aborted) return;
    const answered = new AbortController();
    const silence = waitFor(SILENT_MS, answered.signal).then(() => {
      if (!answered.signal.aborted) throw new Error('The connection that listens does not answer.');
    });
    try {
      await Promise.race([beat(), silence]);
    } finally {
      answered.abort();
    }
  }
}

function waitFor(ms: number, ended: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (ended.aborted) return resolve();
    const done = (): void => {
      clearTimeout(timer);
      ended.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    ended.addEventListener('abort', done);
  });
}
