import type { BenchProduct } from '../bench-product.ts';

export type Asked = { figure: string; path: string };

/** What an agent's page asks of the server, at the beginning and in the depth of everything. */
export async function questionsOf(product: BenchProduct, cookie: string): Promise<Asked[]> {
  return [
    ...(await questionsOfList(product)),
    ...questionsOfSearch(),
    ...(await questionsOfChat(product, cookie)),
  ];
}

/** The conversation with most messages, and how many it has. */
export async function findLongest({ database, workspaceId }: BenchProduct) {
  const { rows } = await database.database.systemPool.query<{
    id: string;
    contact_id: string;
    channel_id: string;
    messages: string;
  }>(
    `SELECT c.id, c.contact_id, c.channel_id, (SELECT count(*) FROM messages m WHERE m.contact_id = c.contact_id AND m.channel_id = c.channel_id) AS messages
       FROM conversations c WHERE c.workspace_id = $1 AND c.contact_id = (
         SELECT id FROM contacts WHERE workspace_id = $1 AND phone = '+4915710000001')`,
    [workspaceId],
  );
  return rows[0]!; // the first person has it
}

async function questionsOfList({ database, workspaceId }: BenchProduct): Promise<Asked[]> {
  const pool = database.database.systemPool;
  const one = async (text: string, ...values: unknown[]) =>
    (await pool.query(text, [workspaceId, ...values])).rows[0];
  const deep = async (condition: string, share: number) => {
    const { n } = await one(
      `SELECT count(*)::integer AS n FROM conversations WHERE workspace_id = $1 AND ${condition}`,
    );
    const place = await one(
      `SELECT last_activity_at::text AS key, id FROM conversations WHERE workspace_id = $1 AND ${condition}
        ORDER BY last_activity_at DESC, id DESC OFFSET $2 LIMIT 1`,
      Math.floor(n * share),
    );
    return `&cursor=${cursorOf(place.key, place.id)}`;
  };
  const team = await one('SELECT id FROM teams WHERE workspace_id = $1 ORDER BY id LIMIT 1');
  const channels = (
    await pool.query(
      'SELECT channel_id AS id, count(*) FROM conversations WHERE workspace_id = $1 GROUP BY 1 ORDER BY 2 DESC',
      [workspaceId],
    )
  ).rows;
  const list = (what: string, search: string): Asked => ({
    figure: `list, ${what}`,
    path: `/api/conversations?order=pinned&limit=50${search}`,
  });
  return [
    list('first page', ''),
    list('after 90 % of all', await deep('NOT is_archived', 0.9)),
    list('tab Unread', '&unread=yes'),
    list('tab Pinned', '&pinned=yes'),
    list('tab Archived', '&archived=yes'),
    list('tab Archived, after 90 %', `&archived=yes${await deep('is_archived', 0.9)}`),
    list('mine', '&assignee=me'),
    list('nobody’s', '&assignee=nobody'),
    list(
      'nobody’s, after 90 %',
      `&assignee=nobody${await deep('NOT is_archived AND assignee_id IS NULL', 0.9)}`,
    ),
    list('status open', '&status=open'),
    list(
      'status resolved, after 90 %',
      `&status=resolved${await deep(`NOT is_archived AND status = 'resolved'`, 0.9)}`,
    ),
    list('a frequent label', '&label=order'),
    list(
      'a frequent label, after 90 %',
      `&label=order${await deep(`NOT is_archived AND 'order' = ANY (labels)`, 0.9)}`,
    ),
    list('a rare label', '&label=urgent'),
    list('a label of none', '&label=nothing'),
    list('a team', `&teamId=${team.id}`),
    list('the busiest number', `&channelId=${channels[0].id}`),
    list('the quietest number', `&channelId=${channels.at(-1).id}`),
    list('open, mine, rare label', '&status=open&assignee=me&label=urgent'),
    list('unread of nobody in a team', `&unread=yes&assignee=nobody&teamId=${team.id}`),
    { figure: 'list, what is due next', path: '/api/conversations?order=due&limit=50' },
    { figure: 'counts of the tabs', path: '/api/conversations/counts' },
  ];
}

function questionsOfSearch(): Asked[] {
  const search = (what: string, text: string): Asked => ({
    figure: `search, ${what}`,
    path: `/api/conversations/search?limit=30&search=${encodeURIComponent(text)}`,
  });
  return [
    search('a word of every second message', 'the'),
    search('a frequent word', 'delivery'),
    search('two frequent words', 'delivery please'),
    search('two words that seldom meet', 'sandals complaint'),
    search('a word of one message', 'nr250000'),
    search('a name', 'silva'),
    search('a first name and a last', 'ada silva'),
    search('a number', '+4915710012345'),
    search('the beginning of a word', 'deliv'),
    search('two letters', 'de'),
    search('nothing found', 'qqxyzq'),
    search('nothing found of two words', 'delivery qqxyzq'),
  ];
}

async function questionsOfChat(product: BenchProduct, cookie: string): Promise<Asked[]> {
  const longest = await findLongest(product);
  const place = async (share: number) => {
    const { rows } = await product.database.database.systemPool.query(
      `SELECT occurred_at::text AS key, id FROM messages WHERE contact_id = $1 AND channel_id = $2 AND type <> 'reaction'
        ORDER BY occurred_at DESC, id DESC OFFSET $3 LIMIT 1`,
      [longest.contact_id, longest.channel_id, Math.floor(Number(longest.messages) * share)],
    );
    return rows[0] as { key: string; id: string };
  };
  const of = `/api/conversations/${longest.id}`;
  const [middle, far] = [await place(0.5), await place(0.9)];
  const answer = await fetch(`${product.url}${of}/search?search=nr&limit=20`, { headers: { cookie } });
  const found: { items: { id: string }[] } = await answer.json();
  const chat = (what: string, path: string): Asked => ({
    figure: `chat of ${Number(longest.messages).toLocaleString('en')}, ${what}`,
    path: `${of}${path}`,
  });
  return [
    chat('its head', ''),
    chat('newest page', '/messages?limit=50'),
    chat('older page after half', `/messages?limit=50&cursor=${cursorOf(middle.key, middle.id)}`),
    chat('older page after 90 %', `/messages?limit=50&cursor=${cursorOf(far.key, far.id)}`),
    chat('newer page after 90 %', `/messages?limit=50&direction=newer&cursor=${cursorOf(far.key, far.id)}`),
    chat('jump to a found message', `/messages?limit=50&around=${found.items[0]?.id}`),
    chat('jump to one in its depth', `/messages?limit=50&around=${far.id}`),
    chat('gallery, pictures', '/gallery?shelf=media&limit=60'),
    chat(
      'gallery, pictures after half',
      `/gallery?shelf=media&limit=60&cursor=${cursorOf(middle.key, middle.id)}`,
    ),
    chat('gallery, documents', '/gallery?shelf=documents&limit=60'),
    chat('gallery, links', '/gallery?shelf=links&limit=60'),
    chat('search within, a frequent word', '/search?search=delivery&limit=30'),
    chat('search within, a rare word', '/search?search=nr99&limit=30'),
    chat('search within, nothing found', '/search?search=qqxyzq&limit=30'),
    chat(
      'search within, after half',
      `/search?search=nr99&limit=30&cursor=${cursorOf(middle.key, middle.id)}`,
    ),
  ];
}

/** A place as the API's cursors name it. */
function cursorOf(key: string, id: string): string {
  return Buffer.from(JSON.stringify([key, id])).toString('base64url');
}
