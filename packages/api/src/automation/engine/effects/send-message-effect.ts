import type { AskedEffect, RunEffect } from '@app/flows/flow-host';
import { isUuid } from '@app/domain/uuid';
import { sentMediaKinds } from '@app/domain/flows/steps/send-media';
import { sendMessage, type SendRequest } from '../../../conversations/sending/send-message.ts';
import type { SharedMedia } from '../../../conversations/sending/shared-media.ts';
import type { WorkspaceScope } from '../../../platform/workspace-scope.ts';
import type { OfferedChoice } from '@app/domain/flows/answers/question';
import type { EffectParts } from './effect-parts.ts';

/** Not sent any more after that: what it says belongs to its time. */
const USEFUL_MS = 3 * 24 * 60 * 60_000;

/** Enqueues the message by the one way of sending; what becomes of it comes with the facts of that message. */
export function sendMessageEffect({ db, channelKinds, publicUrl }: EffectParts): RunEffect<WorkspaceScope> {
  return async (scope, asked) => {
    const { contactId, request, run, key } = asked;
    if (contactId === null) return { status: 'failed', code: 'contact_missing' };
    if (run.kind === 'workflow' && (await hasHadEnough(scope, contactId)))
      return { status: 'failed', code: 'messages_per_contact' };
    const channelId = typeof request['channelId'] === 'string' ? request['channelId'] : undefined;
    const sent = await sendMessage(
      scope,
      { db, channelKinds, publicUrl },
      {
        ...{ to: { contactId, channelId }, message: messageOf(asked), key },
        // An answer to somebody who has just written waits for no quiet hours.
        purpose: run.kind === 'bot' ? 'bot' : 'automation',
        source: `flow/${run.flowId}/${run.runId}`,
        countsLinks: run.kind === 'workflow',
        needsValues: true,
        ...(run.kind === 'workflow' && { answers: answersOf(asked) }),
        giveUpAt: new Date(scope.clock().getTime() + USEFUL_MS),
      },
    );
    if (sent.outcome === 'refused') return { status: 'failed', code: codeOf(sent.code, request) };
    return { later: { messageId: sent.messageIds[0] ?? null } };
  };
}

/** A template whose values are there and fit is no invalid message. */
function codeOf(code: string, { templateId }: AskedEffect['request']): string {
  return code === 'message_invalid' && typeof templateId === 'string' ? 'template_values_invalid' : code;
}

/** A form or another service may bring any value under the name of a message: only ids count. */
function answersOf({ request: { answers } }: AskedEffect): string[] {
  return Array.isArray(answers) ? (answers as string[]).filter(isUuid) : []; // the step lists texts
}

/** All workflows together send one contact no more than that in 24 hours. */
const MESSAGES_PER_CONTACT = 20;
const DAY_MS = 86_400_000;

async function hasHadEnough(scope: WorkspaceScope, contactId: string): Promise<boolean> {
  const { rows } = await scope.query<{ n: number }>(
    `SELECT count(*)::int AS n FROM messages WHERE workspace_id = $1 AND contact_id = $2 AND direction = 'out' AND author = 'automation'
        AND state IS DISTINCT FROM 'cancelled' AND occurred_at > $3`,
    [scope.workspaceId, contactId, new Date(scope.clock().getTime() - DAY_MS)],
  );
  return (rows[0]?.n ?? 0) >= MESSAGES_PER_CONTACT;
}

function messageOf({ request }: AskedEffect): SendRequest['message'] {
  const { templateId, text, variables, buttons, choices, listButton, media } = request;
  const kind = sentMediaKinds.find((one) => one === media);
  if (kind) return mediaOf(kind, request);
  if (typeof templateId === 'string') {
    const filled = Object.entries((variables ?? {}) as Record<string, string>);
    return {
      templateId,
      variables: Object.fromEntries(filled.map(([name, value]) => [name, { text: value }])),
    };
  }
  const body = typeof text === 'string' ? text : '';
  const offered = Array.isArray(choices) ? (choices as OfferedChoice[]) : [];
  if (offered.length > 0) return { interactive: offer(body, offered, String(listButton)) };
  const titles = Array.isArray(buttons) ? (buttons as string[]) : [];
  if (titles.length === 0) return { text: body };
  return { interactive: { body, buttons: titles.map((title) => ({ title })) } };
}

function mediaOf(kind: (typeof sentMediaKinds)[number], request: AskedEffect['request']): SharedMedia {
  const { fileId, link, text, filename } = request;
  const from = typeof fileId === 'string' ? { libraryId: fileId } : { link: String(link) };
  return { media: { kind, from, caption: String(text), filename: String(filename) } };
}

/** Up to three short answers are buttons on every channel; more of them, or longer ones, are a list. */
const BUTTONS = { most: 3, longest: 20 };

function offer(body: string, choices: readonly OfferedChoice[], listButton: string) {
  const areShort =
    choices.length <= BUTTONS.most &&
    choices.every(({ title, description }) => title.length <= BUTTONS.longest && description === '');
  if (areShort) return { body, buttons: choices.map(({ id, title }) => ({ id, title })) };
  const rows = choices.map(({ id, title, description }) => ({
    id,
    title,
    ...(description && { description }),
  }));
  return { body, list: { button: listButton, sections: [{ rows }] } };
}
