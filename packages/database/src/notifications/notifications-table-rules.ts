import * as as from '../backup/read-in/column-rules.ts';
import type { TableRules } from '../table-rules.ts';

export const notificationsTableRules = {
  notifications: {
    noContacts: 'what people who work here are told, with names of campaigns, teams and colleagues',
    archive: {
      how: 'move',
      columns: {
        ...{ ...as.ofOwnId, user_id: as.owner, subject: as.id, mail_id: as.id, values: as.document },
        ...{ pushed_to: as.asWritten, fact_id: as.asWritten },
        // What was not mailed or shown on a telephone by then is not so now.
        is_mailed: as.always('s.is_mailed AND s.mailed_at IS NOT NULL'),
        is_pushed: as.always('false'),
      },
      onlyBack: 'people were told where it happened',
    },
    clear: { how: 'delete' },
  },
  push_browsers: {
    noContacts: 'browsers of people who work here',
    isOfInstallation: true,
  },
  summaries: {
    noContacts: 'which summaries people who work here were mailed',
    archive: { how: 'stay', because: 'who was told of a day is not told again' },
    clear: { how: 'keep', because: 'of people' },
  },
  told_stops: {
    noContacts: 'numbers whose stop people were told of',
    archive: { how: 'recount', because: 'people are told of a number when it stops' },
    clear: { how: 'keep', because: 'of numbers, which stay' },
  },
} as const satisfies TableRules;
