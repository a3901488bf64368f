/**
 * Which database tests run a second time, on another version of PostgreSQL: all whose promise is kept by SQL of ours
 * (statements, locks, orders, policies, plans), and so every file that is not named here. What is named proves something
 * before or beside the database, with the reason why another version cannot tell a difference.
 */
export const onOneServer: Record<string, string> = {
  'packages/api/test/auth/auth-input.test.ts':
    'what a form may hold; the statements behind it run in auth-sessions',
  'packages/api/test/rim/large-bodies.test.ts': 'bodies, counted and turned away before anything is stored',
  'packages/api/test/contacts/phone-number.test.ts': 'one number in many spellings, compared by the domain',
  'packages/api/test/rim/request-bodies.test.ts': 'bodies that are refused before they are read',
  'packages/api/test/rim/slow-webhooks.test.ts': 'the pace of lines, and who gives way; nothing is stored',
  'packages/api/test/rim/route-access.test.ts': 'rights by role, decided from the contract',
  'packages/api/test/rim/route-input.test.ts': 'input of every route, refused by its schema',
  'packages/api/test/auth/sign-in-guesses.test.ts':
    'hundreds of hashes; its statements run in auth-sessions and auth-attacks',
  'packages/database/test/embedded-postgres.test.ts': 'starts the embedded server itself, whichever is given',
};
