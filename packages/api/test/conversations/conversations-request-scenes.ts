import type { Input } from '../http-edge/contract-routes.ts';
import type { OpenScenes } from '../scene-kit.ts';

export const openScenes: OpenScenes = ({ query, next, post, workspaceId, api, admin, addConversation }) => {
  const openWindow = (conversationId: string) =>
    query(`UPDATE conversations SET window_ends_at = now() + interval '9 hours' WHERE id = $1`, [
      conversationId,
    ]);

  async function addReply(more: object = {}): Promise<{ conversationId: string; messageId: string }> {
    const { conversationId } = await addConversation();
    await openWindow(conversationId);
    const message = { text: 'Hello', ...more };
    const { id: messageId } = await post(`/api/conversations/${conversationId}/messages`, { message });
    return { conversationId, messageId };
  }

  async function addNote(): Promise<Input> {
    const { conversationId } = await addConversation();
    const { id: noteId } = await post(`/api/conversations/${conversationId}/notes`, { body: 'A note' });
    return { conversationId, noteId };
  }

  const quickReply = () => ({ shortcut: `s${next()}`, title: 'Thanks', text: 'Thank you, {{name}}!' });

  const addQuickReply = () => post('/api/quick-replies', quickReply());

  const addLabel = () => post('/api/inbox/labels', { name: `Label ${next()}` });

  const view = () => ({ name: `View ${next()}`, query: { unread: 'yes' } });

  const addView = () => post('/api/inbox/views', view());

  return {
    makers: {
      conversationId: addConversation,
      quickReplyId: async () => ({ quickReplyId: (await addQuickReply()).id }),
      labelId: async () => {
        const { id: labelId, version } = await addLabel();
        return { labelId, version };
      },
      viewId: async () => {
        // Each person has twenty at most.
        await query('DELETE FROM conversation_views');
        return { viewId: (await addView()).id };
      },
    },
    scenes: {
      'conversationLabels.create': async () => ({ name: `Label ${next()}`, colour: 'blue' }),
      'conversationViews.create': async () => {
        await query('DELETE FROM conversation_views');
        return view();
      },
      'conversationViews.update': async () => {
        const { id: viewId, version } = await addView();
        return { viewId, version, ...view() };
      },
      'inboxSettings.update': async () => {
        // The first change makes the row, all others change it.
        await query(
          `INSERT INTO inbox_settings (workspace_id, settings) VALUES ($1, '{}') ON CONFLICT DO NOTHING`,
          [workspaceId],
        );
        const { version } = await (await admin.get('/api/inbox/settings')).json<{ version: number }>();
        return { version, autoResolveDays: 1 + (version % 300) };
      },
      'conversations.change': async () => ({
        conversations: [{ id: (await addConversation()).conversationId }],
        change: { addLabels: [`label ${next()}`] },
      }),
      'conversations.assign': async () => ({
        ...(await addConversation()),
        assigneeId: await api.userId('agent@acme.test'),
      }),
      'conversations.send': async () => {
        const { conversationId } = await addConversation();
        await openWindow(conversationId);
        return { conversationId, message: { text: 'Hello' } };
      },
      'conversations.decideUnknown': async () => {
        const named = await addReply();
        await query(`UPDATE messages SET state = 'unknown', attempt = 1 WHERE id = $1`, [named.messageId]);
        return { ...named, decision: 'send_again' };
      },
      'conversations.sendScheduled': () => addReply({ sendAt: new Date(Date.now() + 30 * 86_400_000) }),
      'conversations.withdraw': () => addReply(),
      'conversations.tryAgain': async () => {
        const named = await addReply();
        await query(`UPDATE messages SET state = 'refused', attempt = 1, failed_at = now() WHERE id = $1`, [
          named.messageId,
        ]);
        return named;
      },
      'conversations.addNote': async () => ({
        ...{ conversationId: (await addConversation()).conversationId, body: `Note ${next()}` },
        mentions: { userIds: [await api.userId('admin@acme.test')], teamIds: [] },
      }),
      'conversations.editNote': async () => ({ ...(await addNote()), version: 1, body: `Note ${next()}` }),
      'conversations.deleteNote': addNote,
      'conversations.setStatus': async () => ({ ...(await addConversation()), status: 'resolved' }),
      'conversations.setPriority': async () => ({ ...(await addConversation()), priority: 'urgent' }),
      'conversations.setLabels': async () => ({ ...(await addConversation()), labels: [`label ${next()}`] }),
      'quickReplies.create': async () => quickReply(),
      'quickReplies.update': async () => {
        const { id: quickReplyId, version } = await addQuickReply();
        return { quickReplyId, version, ...quickReply() };
      },
    },
  };
};
