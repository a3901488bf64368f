import { notificationsContract } from '@app/contracts/notifications/notifications-contract';
import { personOf } from '@app/domain/auth/caller';
import { implementEndpoints } from '../platform/implement-endpoints.ts';
import type { SignedInContext } from '../platform/request-context.ts';
import { pushApi } from './push/push-api.ts';
import { enqueueViewMail } from './summaries/view-mail.ts';
import { countUnread, listNotifications, markAllRead, markRead } from './notifications-queries.ts';

const os = implementEndpoints(notificationsContract);

const readerOf = ({ session, caller }: SignedInContext) => ({
  userId: session.user.id,
  permissions: caller.permissions,
});

export const notificationsApi = os.router({
  ...pushApi,

  list: os.list.handler(({ input, context }) =>
    context.read((scope) => listNotifications(scope, readerOf(context), input)),
  ),

  summarize: os.summarize.handler(({ context }) =>
    context.read(async (scope) => ({ unread: await countUnread(scope, readerOf(context)) })),
  ),

  mailView: os.mailView.handler(({ input, context, errors }) =>
    context.change(async (scope) => {
      // Views are those of people: a key of the API has none.
      const userId = personOf(scope.caller);
      const { email } = context.session.user;
      if (!userId || !(await enqueueViewMail(context, scope, { userId, viewId: input.reportViewId })))
        throw errors.report_view_not_found();
      return { email };
    }),
  ),

  markRead: os.markRead.handler(({ input, context, errors }) =>
    context.change(async (scope) => {
      const read = await markRead(scope, readerOf(context), input.notificationId);
      if (read === null) throw errors.notification_not_found();
      return { read };
    }),
  ),

  markAllRead: os.markAllRead.handler(({ input, context }) =>
    context.change(async (scope) => ({ read: await markAllRead(scope, readerOf(context), input.until) })),
  ),
});
