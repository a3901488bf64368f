/** One attack, what must hold against it, and the tests that prove it: the file, and the title as it stands there. */
export type Attack = {
  attack: string;
  holds: string;
  proofs: readonly (readonly [file: string, title: string])[];
};

const attacks = (name: string) => `apps/server/test/attacks/${name}.test.ts`;
const api = (name: string) => `packages/api/test/${name}.test.ts`;

/** The attacks that the product is held against, most of them from published faults of products in this field, by their numbers. */
export const attackList: Record<number, Attack> = {
  1: {
    attack: 'Placeholders in texts that try to reach the environment, functions or prototypes',
    holds:
      'Only a word in double braces is replaced                                                                                 | `template-rendering.test.ts`',
    proofs: [
      ['packages/domain/src/templates/template-rendering.test.ts', '<%= x %>'],
      [
        'packages/domain/src/templates/template-rendering.test.ts',
        'reaches header, body and button addresses, and nothing else',
      ],
    ],
  },
  2: {
    attack: 'Scripts in texts and names that an admin opens',
    holds:
      'They are shown as text, and the content security policy blocks foreign scripts                                           | `templates.e2e.ts`, `serve-web.test.ts`',
    proofs: [
      ['e2e/templates.e2e.ts', 'shows script in its texts as text'],
      ['apps/server/test/serve-web.test.ts', '%s is a page'],
    ],
  },
  3: {
    attack: 'A session after a change or reset of the password, a deactivation, a deletion, a smaller role',
    holds:
      'It is rejected from the next request on, in every tab, and its streams are closed                                        | `ended-sessions.test.ts`, `reset-races.test.ts`',
    proofs: [
      [attacks('ended-sessions'), 'a session ends everywhere at once'],
      [
        attacks('ended-sessions'),
        'with a smaller role the open stream ends, and the next request may no more than that',
      ],
      [api('auth/reset-races'), 'a sign-in whose password was right before a reset opens nothing after it'],
    ],
  },
  4: {
    attack: '200 one-time codes over 20 sign-ins; a reset of the password with a second factor on',
    holds:
      'One-time codes of the account are locked; a reset does not skip the code                                                 | `ended-sessions.test.ts`',
    proofs: [
      [
        attacks('ended-sessions'),
        'is not guessed with 200 codes over 5 sign-ins: the account takes none any more, the right one included',
      ],
      [
        attacks('ended-sessions'),
        'is still asked for after the password was reset by mail, and the reset opens nothing by itself',
      ],
    ],
  },
  5: {
    attack: 'A partial view written back, unknown fields, ids as "1abc", arrays and objects',
    holds:
      'Fields that were not sent stay unchanged; the rest is rejected with the name of the field                                | `route-input.test.ts`, `users.test.ts`, `templates.test.ts`',
    proofs: [
      [api('http-edge/route-input'), 'values of the wrong kind'],
      [api('http-edge/route-input'), '%s refuses a field that it does not know, by its name'],
      [api('users/users'), 'keeps what is not named, and follows the version that was seen'],
      [
        api('templates'),
        'changes only in the fields that are given, and only from the version that was read',
      ],
    ],
  },
  6: {
    attack: 'Filters, sort keys and search text as SQL',
    holds:
      'Fields and operators are a fixed list, values are bound                                                                  | `route-input.test.ts`',
    proofs: [
      [api('http-edge/route-input'), '%s answers or refuses, and never fails'],
      [api('http-edge/route-input'), '%s looks for %, _ and \\\\ as they are written'],
    ],
  },
  7: {
    attack: 'The id of another workspace in every field of every route that takes one',
    holds:
      'The answer is the same as for an unknown id, even where a query forgets its workspace                                    | `foreign-ids.test.ts`, `workspace-isolation.test.ts`',
    proofs: [
      [api('access/foreign-ids'), '%s knows an id of another workspace as little as one that never was'],
      [api('access/foreign-ids'), 'that have forgotten their workspace'],
      [api('access/foreign-ids'), 'a table without its guard is seen by what has forgotten its workspace'],
      [api('access/foreign-ids'), 'no row points at a row of another workspace'],
      ['packages/database/test/workspace-isolation.test.ts', 'a query that forgets its workspace'],
    ],
  },
  8: {
    attack: 'Every route with every role, without a session and with an ended one',
    holds:
      'Exactly the permission matrix, edited or not; a rejected request changes nothing                                         | `access-matrix.test.ts`, `key-access.test.ts`',
    proofs: [
      [api('access/access-matrix'), 'are those of the specification for %s, and change nothing'],
      [api('access/access-matrix'), 'to one permission on %s passes exactly what asks for no other'],
      [api('access/access-matrix'), 'every address beside it, with a request for it'],
      [api('access/key-access'), '%s, opens no door, and changes nothing'],
    ],
  },
  9: {
    attack: 'SVG, HTML, two formats in one file, floods of pixels, files that lie about what they are',
    holds:
      'Rejected or rendered again; served as downloads with a fixed type                                                        | `uploads.test.ts`',
    proofs: [
      [attacks('uploads'), 'is handed out to be kept, whatever its name says'],
      [attacks('uploads'), 'that is another than it says is refused'],
      [attacks('uploads'), 'is drawn anew, and what was hidden behind it is gone'],
      ['apps/server/test/message-files.test.ts', 'is drawn anew where its file holds more than its pixels'],
      ['apps/server/test/message-files.test.ts', 'is refused: %s'],
      [
        'apps/server/test/message-files.test.ts',
        'is a file for the disk, of no type, when it came as a document',
      ],
    ],
  },
  10: {
    attack:
      'Addresses of outgoing calls that mean this machine, a private network or the metadata of a cloud, by name, by redirect or by a second look-up; endless and huge responses',
    holds:
      'Rejected when the connection is opened, unless the operator named the host; time and size are limited                    | `outgoing-calls.test.ts`, `guarded-agent.test.ts`',
    proofs: [
      ['packages/providers/test/guarded-agent.test.ts', 'opens no connection to %s'],
      [
        'packages/providers/test/calls/outgoing-calls.test.ts',
        'private addresses are refused before anything is sent',
      ],
      ['packages/providers/test/calls/outgoing-calls.test.ts', 'to a private address are refused'],
      [
        'packages/providers/test/calls/outgoing-calls.test.ts',
        'a response of 50 MB is cut off and the rest is never sent',
      ],
    ],
  },
  11: {
    attack: 'Webhooks without a signature or with a wrong one, a changed body, 3 MB, an unknown number',
    holds:
      '401, 413 or no effect, never a failure                                                                                   | `webhooks.test.ts`',
    proofs: [
      ['apps/server/test/webhooks.test.ts', 'the signature'],
      ['apps/server/test/webhooks.test.ts', 'refuses a body above 3 MB before it is read'],
      ['apps/server/test/webhooks.test.ts', 'has no effect when the number is not ours'],
      ['apps/server/test/webhooks.test.ts', 'keeps one row of a message that is delivered five times'],
      [
        'apps/server/test/message-files.test.ts',
        'is left to be fetched once, however often its webhook is sent again',
      ],
      ['apps/server/test/message-files.test.ts', 'is nothing to us when its webhook is %s'],
    ],
  },
  12: {
    attack: 'Cells of a CSV file that begin like a formula',
    holds:
      'No cell runs, and export then import gives the same contacts                                                             | `csv-cell.test.ts`, `contact-export.test.ts`',
    proofs: [
      [
        'packages/domain/src/contact-imports/csv-cell.test.ts',
        'what is written never begins like a formula and comes back the same',
      ],
      [
        api('contacts/contact-export'),
        'no cell can run as a formula, numbers stay clean, and the file is named after the day',
      ],
    ],
  },
  13: {
    attack: 'A role that users choose for themselves',
    holds:
      'No privilege without an invitation, an admin, or being the first account                                                 | `strangers.test.ts`, `auth-attacks.test.ts`',
    proofs: [
      [attacks('strangers'), 'at the sign-up as %j gets nothing without an admin'],
      [attacks('strangers'), 'with an invitation gets the role of the invitation'],
      [attacks('strangers'), 'in their own profile is refused'],
      [api('auth/auth-attacks'), 'makes one admin of two who come at the same moment'],
    ],
  },
  14: {
    attack: 'A hundred sign-ins at once, of known and unknown addresses',
    holds:
      'Other requests are still answered; known and unknown addresses get the same answer and cause the same work               | `strangers.test.ts`, `same-work.test.ts`',
    proofs: [
      [attacks('strangers'), 'hold up no other page, and are answered alike for known and unknown addresses'],
      [
        api('auth/same-work'),
        'a wrong password costs one hash and the same queries, whoever the address belongs to',
      ],
      [
        api('auth/same-work'),
        'asking for a reset costs the same queries and no hash, whoever the address belongs to',
      ],
    ],
  },
  15: {
    attack: 'Fifty parallel Starts, a double click on Send',
    holds:
      'One run: every request that sends has an idempotency key                                                                 | `campaign-races.test.ts`, `sending.test.ts`',
    proofs: [
      [api('campaigns/campaign-races'), 'fifty Starts are one start, and the audit log says it once'],
      ['apps/server/test/sending.test.ts', 'is sent once however often the same click arrives'],
    ],
  },
  16: {
    attack: 'Import files without an end, without line breaks, with extreme nesting or with two encodings',
    holds:
      'Limited memory, a clear error, nothing half-written                                                                      | `contact-imports.test.ts`',
    proofs: [
      [api('contacts/contact-imports'), 'a file made to do harm'],
      [
        api('contacts/contact-imports'),
        'in two encodings is read line by line; a line of both loses its row',
      ],
    ],
  },
  17: {
    attack: 'A page of another site with the cookie of somebody signed in',
    holds:
      'Rejected by every endpoint that changes something, for any form of request                                               | `strangers.test.ts`, `route-access.test.ts`',
    proofs: [
      [attacks('strangers'), 'is refused at every address that changes something: %s'],
      [attacks('strangers'), 'cannot read an answer either, and no address that reads gives leave to'],
      [api('http-edge/route-access'), 'no link can change anything: a GET reaches no changing procedure'],
    ],
  },
  18: {
    attack: 'Secrets in logs, errors, exports, the browser and answers',
    holds:
      'None contains them                                                                                                       | `secrets.test.ts`, `values-in-logs.test.ts`, `auth.e2e.ts`',
    proofs: [
      [attacks('secrets'), 'stand in no answer of any address, whether right, refused or failed'],
      [attacks('secrets'), 'stand in no line of the log, at its most talkative'],
      [attacks('secrets'), 'stand in no table, but for what the cookie of a session is looked up by'],
      [
        'apps/server/test/values-in-logs.test.ts',
        'what opens a channel is blanked, whatever its kind calls it',
      ],
      [
        'e2e/auth.e2e.ts',
        'the sample sign-in is filled in with one press, and signing out leaves nothing in the browser',
      ],
    ],
  },
  19: {
    attack:
      'An answer of the company provider that is forged, old, repeated, for another browser or user, or with the address of somebody else',
    holds:
      'Only what the provider signed for this attempt in this browser counts, once; an address alone signs in and links nothing | `company-attacks.test.ts`, `company-reauthentication.test.ts`',
    proofs: [
      [api('company-sign-in/company-attacks'), 'is refused: %s'],
      [api('company-sign-in/company-attacks'), 'works once: neither callback nor end is done again'],
      [
        api('company-sign-in/company-attacks'),
        'taken five times at once shows the code to the provider once, and opens one session',
      ],
      [
        api('company-sign-in/company-attacks'),
        'of another browser signs nobody in, and ends nothing of theirs',
      ],
      [api('company-sign-in/company-attacks'), '%s opens no account and links to none'],
      [
        api('company-sign-in/company-reauthentication'),
        'of another person, or of an hour ago, proves nothing: %s',
      ],
    ],
  },
};
