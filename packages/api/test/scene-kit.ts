import { newId } from '@app/database/new-id';
import type { ApiCaller, ApiFixture } from './api-fixture.ts';
import type { Input } from './http-edge/contract-routes.ts';

/** Makes what a request needs and answers with its input. Each time anew, and always of the same shape. */
export type Scene = () => Promise<Input>;

export type FeatureScenes = {
  /**
   * By the field that holds the id of a thing: makes one, and answers with the fields that requests about it take: its id and, where it has one,
   * its version. A request that needs nothing else has no scene of its own.
   */
  makers?: Readonly<Record<string, Scene>>;
  /** By the name of the endpoint: a request that succeeds. */
  scenes: Readonly<Record<string, Scene>>;
};

/** What a file `<feature>/<feature>-scenes.ts` exports as `openScenes`. */
export type OpenScenes = (kit: SceneKit) => FeatureScenes;

export type Stored = { id: string; version: number };
export type SceneKit = ReturnType<typeof createSceneKit>;

/** What scenes of several features use. `pageUrl` is the address of a page that answers with text. */
export function createSceneKit(api: ApiFixture, admin: ApiCaller, pageUrl: string) {
  const query = (text: string, values: unknown[] = []) => api.db.systemPool.query(text, values);
  const { workspaceId } = api;
  let count = 0;
  const next = () => (count += 1);
  const phone = () => `+1415${String(2_000_000 + next())}`;

  async function post(path: string, body: object = {}): Promise<Stored> {
    const response = await admin.post(path, body);
    if (!response.ok) throw new Error(`${path}: ${await response.text()}`);
    return response.json<Stored>();
  }

  async function addContact(): Promise<Stored> {
    const id = newId();
    await query(
      `INSERT INTO contacts (id, workspace_id, name, phone, window_expires_at) VALUES ($1, $2, $3, $4, now() + interval '9 hours')`,
      [id, workspaceId, `Person ${next()}`, phone()],
    );
    return { id, version: 1 };
  }

  async function addChannel(stop: string): Promise<{ channelId: string }> {
    const { rows } = await query(
      `INSERT INTO channels (id, workspace_id, kind, address, credentials, messages_per_second, is_connected, stopped_code, stopped_reason, stopped_for)
       SELECT gen_random_uuid(), workspace_id, kind, gen_random_uuid(), credentials, 80, true, ${stop}
         FROM channels WHERE workspace_id = $1 LIMIT 1 RETURNING id`,
      [workspaceId],
    );
    return { channelId: rows[0].id };
  }

  async function addConversation(): Promise<{ conversationId: string; version: number }> {
    const { id: contactId } = await addContact();
    const { id: conversationId, version } = await post('/api/conversations', { contactId });
    return { conversationId, version };
  }

  return {
    ...{ api, admin, pageUrl, workspaceId, query, next, phone, post },
    ...{ addContact, addChannel, addConversation },
  };
}
