import { orpc } from '../../../shared/api.ts';
import { errorMessageOf } from '../../../shared/error-message.ts';

export const viewsOptions = orpc.conversationViews.list.queryOptions({ input: {}, staleTime: 60_000 });

export const viewErrorMessage = errorMessageOf({
  conversation_view_taken: 'inbox.view.taken',
  conversation_view_shared: 'inbox.view.notYours',
  conversation_views_full: 'inbox.view.full',
  conversation_view_changed: 'inbox.view.changedMeanwhile',
});
