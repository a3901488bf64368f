import {
  dashboardLayouts,
  dashboardWidgets,
  notificationChannels,
  themes,
  type NotificationChannel,
} from '@app/domain/profile/preferences';
import { notificationWays, type NotificationWay } from '@app/domain/notifications/notification-choices';
import { notificationOptions, type NotificationOption } from '@app/domain/notifications/notification-kinds';
import { z } from 'zod';

// The domain's list, as an object that a schema can name.
const channels = Object.fromEntries(notificationChannels.map((channel) => [channel, z.boolean()])) as Record<
  NotificationChannel,
  z.ZodBoolean
>;

/** What a person has chosen for themself, on whichever device. */
export const preferences = z.strictObject({
  theme: z.enum(themes),
  notifications: z.strictObject(channels),
  dashboard: z.strictObject({
    layout: z.enum(dashboardLayouts),
    /** In their order; what is not named is not shown. */
    widgets: z
      .array(z.enum(dashboardWidgets))
      .max(dashboardWidgets.length)
      .refine((widgets) => new Set(widgets).size === widgets.length, 'A part stands on the home once.')
      .readonly(),
  }),
});

const ways = z.strictObject(
  Object.fromEntries(notificationWays.map((way) => [way, z.boolean()])) as Record<
    NotificationWay,
    z.ZodBoolean
  >,
);

/** What a person wants to be told of, and how; the ways as a whole are those of the preferences. */
export const notificationChoices = z.strictObject({
  ways,
  /** Those that the person may hear of. */
  options: z.strictObject(
    Object.fromEntries(notificationOptions.map((option) => [option, ways.optional()])) as Record<
      NotificationOption,
      z.ZodOptional<typeof ways>
    >,
  ),
});
