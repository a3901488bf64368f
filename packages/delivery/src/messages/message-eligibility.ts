import type { MessageToGuard } from '@app/domain/conversations/guard-message';
import type { StopScope } from '@app/domain/messaging/rejection';

/** The columns of contact, hold, conversation and channel by which it is judged whether a message may leave. */
export type EligibilityRow = {
  contact_status: string | null;
  phone: string | null;
  platform_user_id: string | null;
  opted_out_at: Date | null;
  held_until: Date | null;
  window_ends_at: Date | null;
  is_connected: boolean;
  stopped_for: StopScope | null;
};

/** What those columns say of a person and a channel, for `guardMessage`; nobody is there when the message goes to a number alone. */
export function standingOf(
  row: EligibilityRow,
  { hasWindow, takesUserIds }: { hasWindow: boolean; takesUserIds: boolean },
): Pick<MessageToGuard, 'contact' | 'windowEndsAt' | 'channel'> {
  return {
    contact: {
      isThere: row.contact_status !== null,
      isBlocked: row.contact_status === 'blocked',
      hasNumber: row.phone !== null || (takesUserIds && row.platform_user_id !== null),
      isOptedOut: row.opted_out_at !== null,
      heldUntil: row.held_until?.getTime() ?? null,
    },
    windowEndsAt: row.window_ends_at?.getTime() ?? null,
    channel: { isConnected: row.is_connected, stoppedFor: row.stopped_for, hasWindow },
  };
}
