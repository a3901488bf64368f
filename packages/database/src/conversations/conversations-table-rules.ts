import * as as from '../backup/read-in/column-rules.ts';
import type { TableRules } from '../table-rules.ts';

export const conversationsTableRules = {
  conversation_labels: {
    noContacts: 'names and colours of labels',
    archive: { how: 'move', columns: as.ofOwnId },
    clear: { how: 'delete', keptForFile: 'of the inbox, of which a file says nothing' },
  },
  conversation_marks: {
    noContacts: 'which of staff pinned or muted what; goes with its conversation',
    archive: { how: 'move', columns: { ...as.ofWorkspace, conversation_id: as.id, user_id: as.owner } },
    clear: { how: 'cascade' },
  },
  conversation_rounds: {
    noContacts:
      'when it was answered and resolved, and how it was rated, for figures; stays without the name of the contact',
    archive: {
      how: 'move',
      columns: {
        ...{ ...as.ofWorkspace, conversation_id: as.id, first_answer_by: as.person, resolved_by: as.person },
        ...{ assignee_id: as.person, team_id: as.id, channel_id: as.id, rating_key: as.stays },
      },
    },
    clear: { how: 'delete', where: 'NOT EXISTS (SELECT FROM conversations v WHERE v.id = conversation_id)' },
  },
  conversation_views: {
    noContacts: 'filters of the list that staff keep; no contact is named in them',
    archive: { how: 'move', columns: { ...as.ofOwnId, user_id: as.owner, query: as.document } },
    clear: { how: 'delete', keptForFile: 'of the inbox' },
  },
  inbox_people: {
    noContacts: 'which of staff wants conversations that are given out',
    archive: { how: 'stay', because: 'who is here takes part as they do' },
    clear: { how: 'keep', because: 'of people' },
  },
  inbox_settings: {
    noContacts: 'how a workspace works in its inbox',
    archive: { how: 'move', columns: { ...as.ofWorkspace, settings: as.document } },
    clear: { how: 'delete', keptForFile: 'of the inbox' },
  },
  messages: {
    archive: {
      how: 'move',
      columns: {
        ...{
          ...as.ofOwnId,
          channel_id: as.id,
          contact_id: as.id,
          tried_again_as: as.id,
          send_no: as.sendNumber,
        },
        ...{ author_id: as.textId, target_id: as.textId, quoted_id: as.textId },
        ...{ content: as.message, about: as.document, payload: as.asWritten },
        ...{ owner: as.always('NULL'), lease_until: as.always('NULL'), cause: as.always('NULL') },
      },
    },
    clear: { how: 'delete', where: 'contact_id IS NULL' },
  },
  conversations: {
    archive: {
      how: 'move',
      columns: {
        ...{ ...as.ofOwnId, contact_id: as.id, channel_id: as.id, assignee_id: as.person, team_id: as.id },
        ...{ last_message_id: as.id, labels: as.textIds, bot_state: as.document },
        // Nobody is told now of what was late long ago.
        next_news_at: as.always('CASE WHEN s.next_news_at > now() THEN s.next_news_at END'),
      },
    },
    clear: { how: 'cascade' },
  },
  conversation_notes: {
    archive: {
      how: 'move',
      columns: {
        ...{ ...as.ofOwnId, conversation_id: as.id, author_id: as.person },
        ...{ mentions: as.document, earlier: as.document },
      },
    },
    clear: { how: 'cascade' },
  },
} as const satisfies TableRules;
