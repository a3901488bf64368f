/** Who may import whom; the reasons are in ARCHITECTURE.md. Types count as imports. */
const own = '^(apps|packages|e2e|bench|faults|tools)/';
const outside = (...allowed) => ({ path: own, pathNot: allowed });
const npm = (...allowed) => ({
  dependencyTypes: ['npm', 'npm-dev', 'npm-optional', 'npm-peer', 'npm-no-pkg', 'npm-unknown'],
  pathNot: allowed.map((name) => `node_modules/${name}/`),
});
/**
 * Which features of the API may use which others; each names only features below it. `sending` is what every way to
 * send shares: audience, message, check, start. Whatever is not here moves the rule to domain, takes a function as a
 * parameter, or emits a fact. See docs/decisions/029-one-refusal-and-a-table-of-rooms.md.
 */
const apiRooms = {
  'data-management': [
    ...[
      'auth',
      'campaigns',
      'channels',
      'contacts',
      'contact-imports',
      'custom-fields',
      'settings',
      'templates',
      'users',
    ],
  ],
  notifications: ['analytics', 'templates'],
  analytics: ['contacts', 'segments'],
  chatbot: ['automation', 'conversations', 'settings'],
  automation: ['campaigns', 'contacts', 'conversations', 'sending', 'settings'],
  integrations: ['contacts', 'conversations', 'custom-fields', 'webhook-endpoints'],
  'contact-imports': ['contacts', 'custom-fields'],
  'contact-merges': ['contacts', 'conversations', 'custom-fields'],
  'contact-removals': ['contacts'],
  conversions: ['contacts'],
  contacts: ['conversations', 'custom-fields', 'segments'],
  workspaces: ['auth', 'users'],
  users: ['auth', 'conversations', 'teams'],
  settings: ['conversations'],
  rcs: ['sending'],
  fallbacks: ['conversations'],
  conversations: ['drafts', 'sending'],
  'bulk-message': ['sending'],
  campaigns: ['sending'],
  dashboard: ['channels', 'sending'],
  templates: ['channels', 'sending'],
  webhooks: ['message-files'],
  profile: ['auth', 'two-factor'],
  'api-keys': ['auth'],
  auth: ['company-sign-in', 'passkeys', 'two-factor'],
};
/** The same for the web: a page of contacts opens what belongs to them. */
const webRooms = {
  analytics: ['contacts', 'sending'],
  chatbot: ['automation', 'inbox', 'chat', 'composer', 'sending'],
  automation: ['integrations', 'webhook-endpoints', 'segments', 'sending'],
  inbox: ['chat', 'composer', 'contact-panel', 'new-chat', 'quick-replies', 'teamwork'],
  settings: ['connection', 'data-management', 'notifications', 'sending', 'teamwork'],
  rcs: ['campaigns', 'connection', 'conversions'],
  composer: ['sending'],
  'contact-panel': ['contacts'],
  profile: ['api-keys', 'notifications'],
  contacts: ['contact-imports', 'contact-merges', 'contact-removals', 'custom-fields', 'segments'],
  'contact-imports': ['custom-fields'],
  'bulk-message': ['sending'],
  campaigns: ['conversions', 'sending'],
  dashboard: ['sending'],
  templates: ['sending'],
  users: ['teams'],
};
/** One rule for each feature that stands on others, and one for all the rest. */
function apart(name, folder, rooms, ...shared) {
  const order = Object.keys(rooms);
  const isBelow = (room, other) => !order.includes(other) || order.indexOf(other) > order.indexOf(room);
  const high = order.find((room) => !rooms[room].every((other) => isBelow(room, other)));
  if (high) throw new Error(`${high} names a feature above it`);
  const within = `^${folder}/[^/]+/`;
  return [
    {
      name,
      comment: 'Who may stand on whom is said at the top of this file.',
      severity: 'error',
      from: {
        path: `^${folder}/([^/]+)/`,
        pathNot: [...shared, ...order].map((room) => `^${folder}/${room}/`),
      },
      to: { path: within, pathNot: `^${folder}/(${['$1', ...shared].join('|')})/` },
    },
    ...order.map((room) => ({
      name,
      severity: 'error',
      from: { path: `^${folder}/${room}/` },
      to: { path: within, pathNot: `^${folder}/(${[room, ...shared, ...rooms[room]].join('|')})/` },
    })),
  ];
}
const tests = '(\\.test\\.tsx?$|/test/|/testing/)';

module.exports = {
  forbidden: [
    {
      name: 'no-cycles',
      comment: 'What two files know of each other belongs into a third; types count.',
      severity: 'error',
      from: { path: own },
      to: { circular: true },
    },
    {
      name: 'no-unresolved',
      comment: 'A path that resolves to nothing escapes every other rule.',
      severity: 'error',
      from: { path: own },
      to: { couldNotResolve: true, pathNot: '^virtual:' },
    },
    {
      name: 'domain-imports-nothing',
      comment: 'Rules are pure: no package, no Node.js, no other layer.',
      severity: 'error',
      from: { path: '^packages/domain/src/', pathNot: tests },
      to: { pathNot: '^packages/domain/src/' },
    },
    {
      name: 'contracts-meet-domain-only',
      severity: 'error',
      from: { path: '^packages/contracts/src/', pathNot: tests },
      to: outside('^packages/(contracts|domain)/src/'),
    },
    {
      name: 'contracts-packages',
      severity: 'error',
      from: { path: '^packages/contracts/src/', pathNot: tests },
      to: npm('zod', '@orpc/contract'),
    },
    {
      name: 'database-meets-domain-only',
      severity: 'error',
      from: { path: '^packages/database/src/', pathNot: tests },
      to: outside('^packages/(database|domain)/src/'),
    },
    {
      name: 'queries-are-opened-by-the-database',
      comment: 'drizzle opened elsewhere would put the values of failed queries into its errors.',
      severity: 'error',
      from: { path: '^(apps|packages)/', pathNot: ['^packages/database/', tests] },
      to: { path: 'node_modules/drizzle-orm/node-postgres' },
    },
    {
      name: 'delivery-knows-no-vendor-and-no-host',
      severity: 'error',
      from: { path: '^packages/delivery/src/', pathNot: tests },
      to: outside('^packages/(delivery|database|domain)/src/'),
    },
    {
      name: 'delivery-serves-no-http',
      severity: 'error',
      from: { path: '^packages/delivery/src/', pathNot: tests },
      to: { path: ['node_modules/(hono|@hono|undici)/', '^(node:)?https?$'] },
    },
    {
      name: 'flows-know-no-feature',
      comment: 'What effects do is passed in.',
      severity: 'error',
      from: { path: '^packages/flows/src/', pathNot: tests },
      to: outside('^packages/(flows|database|domain)/src/'),
    },
    {
      name: 'providers-meet-domain-only',
      severity: 'error',
      from: { path: '^packages/providers/src/', pathNot: tests },
      to: outside('^packages/(providers|domain)/src/'),
    },
    {
      name: 'no-vendor-knows-another',
      severity: 'error',
      from: { path: '^packages/providers/src/([^/]+)/' },
      to: { path: '^packages/providers/src/[^/]+/', pathNot: '^packages/providers/src/($1|calls)/' },
    },
    {
      name: 'sandbox-knows-nothing-of-the-product',
      comment: 'A shared type would hide one mistake on both sides.',
      severity: 'error',
      from: { path: '^packages/sandbox/src/', pathNot: tests },
      to: outside('^packages/sandbox/src/'),
    },
    {
      name: 'api-layers',
      severity: 'error',
      from: { path: '^packages/api/src/', pathNot: tests },
      to: outside('^packages/(api|contracts|database|delivery|domain|flows)/src/'),
    },
    {
      name: 'api-knows-no-node',
      comment: 'The API is a fetch function; what it needs of the machine is passed in.',
      severity: 'error',
      from: { path: '^packages/api/src/', pathNot: tests },
      to: { dependencyTypes: ['core'], pathNot: '^(node:)?(crypto|zlib|stream|stream/web|buffer)$' },
    },
    ...apart('api-features-are-apart', 'packages/api/src', apiRooms, 'platform'),
    {
      name: 'api-platform-knows-no-feature',
      severity: 'error',
      from: { path: '^packages/api/src/platform/', pathNot: tests },
      to: { path: '^packages/api/src/[^/]+/', pathNot: '^packages/api/src/platform/' },
    },
    {
      name: 'web-layers',
      severity: 'error',
      from: { path: '^apps/web/src/', pathNot: tests },
      to: outside('^apps/web/', '^packages/(contracts|domain)/src/'),
    },
    {
      name: 'web-takes-types-of-contracts',
      comment: 'The schemas would weigh more than the page.',
      severity: 'error',
      from: { path: '^apps/web/src/', pathNot: tests },
      to: { path: '^packages/contracts/src/', dependencyTypesNot: ['type-only'] },
    },
    ...apart('web-features-are-apart', 'apps/web/src/features', webRooms),
    {
      name: 'web-features-know-no-shell',
      severity: 'error',
      from: { path: '^apps/web/src/features/' },
      to: { path: '^apps/web/src/app/' },
    },
    {
      name: 'web-shared-knows-no-feature',
      severity: 'error',
      from: { path: '^apps/web/src/shared/' },
      to: { path: '^apps/web/src/(features|app)/' },
    },
    {
      name: 'web-ui-stands-alone',
      comment: 'Messages are text, not code of ours; how the phone reads marks in a text is a rule.',
      severity: 'error',
      from: { path: '^apps/web/src/ui/' },
      to: outside(
        '^apps/web/src/(ui|messages)/',
        '^apps/web/src/shared/messages\\.ts$',
        '^packages/domain/src/text/marked-text\\.ts$',
      ),
    },
    {
      name: 'nobody-imports-an-app',
      severity: 'error',
      from: { path: '^packages/' },
      to: { path: '^apps/' },
    },
    {
      name: 'server-and-web-are-apart',
      severity: 'error',
      from: { path: '^apps/server/', pathNot: tests },
      to: { path: ['^apps/web/', '^packages/sandbox/', '^e2e/'] },
    },
    {
      name: 'journeys-use-the-product-from-outside',
      severity: 'error',
      from: { path: '^e2e/' },
      to: outside('^e2e/', '^tools/'),
    },
  ],
  options: {
    parser: 'swc',
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(apps/[^/]+/dist|data|[.]cache)/' },
    exoticRequireStrings: [],
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'types', 'default'],
      extensions: ['.ts', '.tsx', '.js', '.mjs', '.json'],
    },
  },
};
