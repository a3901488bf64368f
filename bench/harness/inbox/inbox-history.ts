import { newId } from '@app/database/new-id';
import { createChance, createSentences } from './vocabulary.ts';

export type InboxSize = {
  conversations: number;
  messages: number;
  /** Of the longest conversation. */ longest: number;
};
export type InboxPeople = {
  workspaceId: string;
  contacts: readonly string[];
  channels: readonly string[];
  teams: readonly string[];
  staff: readonly { id: string; name: string }[];
};

export const LABELS = [
  'order',
  'delivery',
  'return',
  'payment',
  'vip',
  'question',
  'complaint',
  'lead',
  'urgent',
];
const YEAR_MS = 365 * 86_400_000;
const DAY_MS = 86_400_000;

type Last = {
  id: string;
  type: string;
  isIn: boolean;
  at: number;
  inAt: number;
  outAt: number;
  waitingAt: number;
};

/** The rows of a year of an inbox, in the order in which they arrived, as lines of COPY. */
export class InboxHistory {
  readonly #chance = createChance(7);
  readonly #sentence = createSentences(this.#chance);
  readonly #last: Last[] = [];
  readonly #wamids: string[] = [];
  #written = 0;
  #sendNo = 0;

  readonly #size: InboxSize;
  readonly #people: InboxPeople;
  readonly #endsAt: number;

  constructor(size: InboxSize, people: InboxPeople, endsAt: number) {
    this.#size = size;
    this.#people = people;
    this.#endsAt = endsAt;
  }

  /** Lines of the next messages; none when all are written. */
  nextMessages(count: number): { messages: string; files: string; written: number } {
    const until = Math.min(this.#written + count, this.#size.messages);
    const begun = this.#written;
    const [messages, files]: [string[], string[]] = [[], []];
    for (; this.#written < until; this.#written += 1) this.#write(messages, files);
    return { messages: messages.join(''), files: files.join(''), written: until - begun };
  }

  get lastSendNo(): number {
    return this.#sendNo;
  }

  #write(messages: string[], files: string[]): void {
    const chance = this.#chance;
    const [size, people] = [this.#size, this.#people];
    const at = this.#endsAt - YEAR_MS + (YEAR_MS * (this.#written + chance())) / size.messages;
    const place = this.#choose();
    const isIn = chance() < 0.55;
    const id = newId(at);
    const kind = this.#kindOf(isIn);
    const wamid = `wamid.HBgMNDkxNTc${(place + 1e8).toString(36)}FQIAEhg${id.replaceAll('-', '').slice(8)}AA==`;
    const isReaction = kind === 'reaction';
    const text = isReaction ? '👍' : kind === 'text' || chance() < 0.3 ? this.#words() : null;
    const when = new Date(at).toISOString();
    const quoted = isReaction || chance() < 0.01 ? this.#wamids[place] : undefined;
    const isMedia = !isReaction && kind !== 'text';
    const content = isMedia
      ? `{"type":"media","kind":"${kind}","mediaId":"${id}","mimeType":null,"sha256":null,"caption":${JSON.stringify(text)},"filename":null,"voice":${kind === 'audio'},"animated":false,"url":null}`
      : isReaction
        ? `{"type":"reaction","targetMessageId":"${quoted ?? ''}","emoji":"👍"}`
        : `{"type":"text","body":"${text}"}`;
    const staff = people.staff[place % people.staff.length]!; // there is somebody
    const ours = isIn
      ? `\\N\t\\N\t\\N\t\\N\t\\N\t\\N`
      : `${(this.#sendNo += 1)}\treply\taccepted\t${when}\t${when}\t${chance() < 0.8 ? when : '\\N'}`;
    messages.push(
      `${id}\t${people.workspaceId}\t${this.#channelOf(place)}\t${people.contacts[place]}\t${isIn ? 'in' : 'out'}\t${wamid}\t${isMedia ? 'media' : kind}\t${text ?? '\\N'}\t${
        isIn
          ? `{"id":"${wamid}","from":"4915710000000","type":"${kind}","timestamp":"${Math.floor(at / 1000)}"}`
          : '\\N'
      }\t${when}\t${when}\t${isIn ? 'contact' : 'person'}\t${isIn ? '\\N' : staff.id}\t${isIn ? '\\N' : staff.name}\t${content}\t${quoted ?? '\\N'}\t${ours}\n`,
    );
    if (isMedia)
      files.push(
        `${newId(at)}\t${people.workspaceId}\t${id}\t${people.contacts[place]}\t${this.#channelOf(place)}\t${kind}\texpired\t${when}\n`,
      );
    if (isReaction) return;
    this.#wamids[place] = wamid;
    const before = this.#last[place];
    this.#last[place] = {
      ...{ id, type: isMedia ? 'media' : kind, isIn, at },
      ...{ inAt: isIn ? at : (before?.inAt ?? 0), outAt: isIn ? (before?.outAt ?? 0) : at },
      waitingAt: isIn ? before?.waitingAt || at : 0,
    };
  }

  /** A tenth is the longest one's; most of the others belong to those of the last days, the rest to customers who come again. */
  #choose(): number {
    const { conversations, messages, longest } = this.#size;
    const chance = this.#chance;
    const opened = this.#last.length;
    if (opened === 0 || chance() < longest / messages) return 0;
    if (opened < conversations && this.#written * conversations >= opened * messages) return opened;
    if (chance() < 0.7) return Math.max(0, opened - 1 - Math.floor(chance() * conversations * 0.02));
    return Math.floor((chance() * opened) / 5) * 5;
  }

  #kindOf(isIn: boolean): string {
    const drawn = this.#chance();
    if (drawn < 0.94) return 'text';
    if (drawn < 0.965) return 'image';
    if (drawn < 0.97) return 'video';
    if (drawn < 0.98) return 'audio';
    if (drawn < 0.99) return 'document';
    return isIn ? 'reaction' : 'text';
  }

  #words(): string {
    const drawn = this.#chance();
    const sentence = this.#sentence(1 + Math.floor(-8 * Math.log(1 - drawn * 0.98)));
    if (this.#written % 50 === 0) return `${sentence} nr${this.#written}`;
    return this.#written % 100 === 1 ? `${sentence} https://shop.example/p/${this.#written % 977}` : sentence;
  }

  #channelOf(place: number): string {
    const { channels } = this.#people;
    return channels[place % 10 < 7 ? 0 : place % 10 < 9 ? 1 : 2]!; // of three
  }

  /** One line for each, and the ids of messages that nobody read. */
  conversations(): { lines: string; unread: string[]; pinned: string[] } {
    const chance = this.#chance;
    const people = this.#people;
    const unread: string[] = [];
    const pinned: string[] = [];
    const time = (at: number) => (at > 0 ? new Date(at).toISOString() : '\\N');
    const lines = this.#last.map(({ id: lastId, type, isIn, at, inAt, outAt, waitingAt }, place) => {
      const id = newId(at);
      const isRecent = this.#endsAt - at < 7 * DAY_MS;
      const drawn = chance();
      const status =
        drawn < (isRecent ? 0.5 : 0.03) ? 'open' : drawn < (isRecent ? 0.6 : 0.05) ? 'waiting' : 'resolved';
      const isArchived = status === 'resolved' && chance() < 0.15;
      const isUnread = isIn && !isArchived && chance() < (isRecent ? 0.3 : 0.02);
      if (isUnread) unread.push(lastId);
      if (isRecent && pinned.length < 12 && chance() < 0.01) pinned.push(id);
      const labels = chance() < 0.3 ? [LABELS[Math.floor(chance() ** 2 * (LABELS.length - 1))]] : [];
      if (chance() < 0.001) labels.push('urgent');
      const assignee = chance() < 0.3 ? '\\N' : people.staff[Math.floor(chance() * people.staff.length)]?.id;
      const team = chance() < 0.4 ? '\\N' : people.teams[Math.floor(chance() ** 2 * people.teams.length)];
      const due = status === 'open' && isIn && chance() < 0.5 ? time(waitingAt + 8 * 3_600_000) : '\\N';
      return `${id}\t${people.workspaceId}\t${people.contacts[place]}\t${this.#channelOf(place)}\t${status}\t${isArchived}\t${assignee}\t${team}\t{${labels.join(',')}}\t${
        isUnread ? 1 : 0
      }\t${lastId}\t${type}\t${isIn ? 'in' : 'out'}\t${time(at)}\t${time(at)}\t${time(inAt)}\t${time(outAt)}\t${time(isIn ? waitingAt : 0)}\t${inAt > 0 ? time(inAt + DAY_MS) : '\\N'}\t${due}\t${due}\n`;
    });
    return { lines: lines.join(''), unread, pinned };
  }
}

export const MESSAGE_COLUMNS =
  'id, workspace_id, channel_id, contact_id, direction, provider_message_id, type, text, payload, occurred_at, received_at, author, author_id, author_name, content, quoted_id, send_no, purpose, state, accepted_at, sent_at, read_at';
export const FILE_COLUMNS = 'id, workspace_id, message_id, contact_id, channel_id, kind, state, created_at';
export const CONVERSATION_COLUMNS =
  'id, workspace_id, contact_id, channel_id, status, is_archived, assignee_id, team_id, labels, unread, last_message_id, last_message_type, last_message_direction, last_message_at, last_activity_at, last_inbound_at, last_outbound_at, waiting_since, window_ends_at, next_due_at, first_answer_due_at';
