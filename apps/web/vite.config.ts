import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { compressFiles } from './vite-compress.ts';
import { hintCompilation } from './vite-compile-hints.ts';
import { checkBudgets } from './vite-budgets.ts';
import { forbidCycles } from './vite-cycles.ts';
import { unnestGroupSelectors } from './vite-group-selectors.ts';
import { compileMessages } from './vite-messages.ts';
import { prerenderPages } from './vite-pages.ts';

const server = process.env.API_ORIGIN ?? 'http://127.0.0.1:3000';

// What wraps Base UI stays with it: merged into a small shared file it would bring the library to every page.
const SHARED =
  /src\/(ui\/(?!overlays\/(tooltip|dialog|form-dialog|menu|popover|confirm-dialog)|controls\/(select\.|combobox))|shared\/|features\/sending\/)|node_modules\/(?!@base-ui|@floating-ui)/;

// What wraps a part that wraps Base UI: in the file of all pages it would bring the library to every one of them.
const WRAPS_LAYERS =
  /src\/(ui\/controls\/(suggest-input|grouped-combobox)|shared\/(contacts\/(tags|tag-input|country-field|bulk-tags-dialog)|writing|business-profile|notifications|automation|alerts)|features\/sending\/)/;

// tools and tests import this file, so the default export is what Vite demands.
export default defineConfig({
  root: import.meta.dirname,
  plugins: [
    compileMessages({ emits: true }),
    react(),
    tailwindcss(),
    unnestGroupSelectors(),
    hintCompilation(),
    prerenderPages(),
    forbidCycles(),
    checkBudgets(),
    compressFiles(),
  ],
  // React has it since version 18; the shim for older ones would come along with the router.
  resolve: { alias: [{ find: /^use-sync-external-store\/shim$/, replacement: 'react' }] },
  server: {
    host: '127.0.0.1',
    port: 5173,
    // The host stays, so that the server sees the browser's own origin and lets its requests in.
    proxy: {
      '/api': { target: server, changeOrigin: false },
      '/webhooks': { target: server, changeOrigin: false },
      '/hooks': { target: server, changeOrigin: false },
      '/forms': { target: server, changeOrigin: false },
      '/reports': { target: server, changeOrigin: false },
    },
  },
  build: {
    outDir: 'dist',
    target: 'es2023',
    // Nobody outside needs them; the development server makes its own.
    sourcemap: false,
    reportCompressedSize: true,
    modulePreload: { polyfill: false, resolveDependencies: listNew },
    rolldownOptions: {
      output: {
        // A shared file is named after all that share it; each name weighs in the list of what a page loads.
        chunkFileNames: ({ name }) => `assets/${name.split('~')[0]}-[hash:7].js`,
        codeSplitting: { groups: chunkGroups() },
      },
    },
  },
});

const ON_EVERY_PAGE = /^assets\/(react|rolldown-runtime)-/;
const NOT_LISTED = /^assets\/(react|rolldown-runtime|shared)-/;

/**
 * What an import loads ahead. The list of names weighs in the first view, so it leaves out the file itself, which the import asks for at once, the
 * two files that every page of the dashboard has, and the small shared files: a page asks for its own when it is there. Pages that are opened by their
 * address have all of them in their HTML. What every first view loads right after it (`later`) lists its shared files too: they import each other, and each step would be a
 * round trip of its own.
 */
function listNew(file: string, files: string[], { hostType }: { hostType: 'html' | 'js' }): string[] {
  if (hostType === 'html') return files;
  const left = file.startsWith('assets/later-') ? ON_EVERY_PAGE : NOT_LISTED;
  return files.filter((one) => one !== file && !left.test(one));
}

// Few files for the first visit: what every dashboard page needs; the rest follows its page.
function chunkGroups() {
  return [
    {
      name: 'react',
      test: /node_modules\/(react|react-dom|scheduler|use-sync-external-store)\//,
      priority: 50,
    },
    // Of forms alone: a small file that was put beside it would bring it to pages without one.
    { name: 'forms', test: /node_modules\/react-hook-form\//, priority: 45 },
    {
      name: 'frame',
      test: /node_modules\/(@orpc|clsx|class-variance-authority)\/|src\/(features\/dashboard\/[\w-]+|app\/(main|dashboard-app|dashboard-frame|interface-words|loading-text)|ui\/(page-frame|states|badge|button|avatar|toast|toasts\/toaster|ui-words|class-names|table\/summary-cards|charts\/chart-place)|shared\/(error-message|links|formats|messages|languages\/(?!number-input|typed-number|refusal-text|choose-language)[\w-]+|use-messages|paths|offline\/offline-copy|workspaces\/tab-workspace|sign-in\/(saved-session|sign-in-calls)))\.tsx?/,
      priority: 20,
    },
    {
      name: 'layers',
      test: /node_modules\/(@base-ui|@floating-ui)\//,
      minShareCount: 2,
      entriesAware: true,
      entriesAwareMergeThreshold: 3_000,
      priority: 35,
    },
    // Small parts of nearly every page, among them the icons that several share.
    { name: 'info', test: /node_modules\/lucide-react\/dist\/esm\/icons\/info\./, priority: 19 },
    {
      name: 'controls',
      test: /node_modules\/lucide-react\/|src\/ui\/(overlays\/(late-trigger|popup-props|menu|popover|tooltip|dialog|lazy-dialog)|controls\/(choice|choice-text|control-style|select|word-button|switch)|field|input|tabs|copy-button|after-paint|table\/use-table-scroll|charts\/(outcome-colors|chart-series|series-mark))\.tsx?$/,
      minShareCount: 4,
      priority: 18,
    },
    // Lists and charts are on many pages and heavy: a page of forms has neither.
    { name: 'virtual', test: /node_modules\/@tanstack\/(react-virtual|virtual-core)\//, priority: 17 },
    {
      name: 'table',
      test: /src\/ui\/table\/(data-table|use-table-keys|use-shown-columns|table-column|opening-row)/,
      minShareCount: 2,
      priority: 16,
    },
    {
      name: 'charts',
      test: /src\/ui\/charts\/(?!outcome-colors|chart-series|series-mark)/,
      minShareCount: 2,
      priority: 16,
    },
    // What many pages use, in one file. It takes along all that it needs, so no circle can lead through it.
    {
      name: 'common',
      test: (id: string) => SHARED.test(id) && !WRAPS_LAYERS.test(id),
      minShareCount: 7,
      priority: 12,
    },
    {
      name: 'shared',
      test: SHARED,
      minShareCount: 2,
      entriesAware: true,
      entriesAwareMergeThreshold: 600,
      priority: 10,
    },
    // Small parts of it that a few pages share. Each in a file of its own, with others of those pages, they brought two dozen files along.
    {
      name: 'always',
      test: /node_modules\/lucide-react\/dist\/esm\/icons\/(bell|at-sign)\.|src\/(activity\/activity-rules|shared\/(activity\/use-idle|notifications\/(notification-queries|push-here)))\.tsx?$/,
      priority: 19,
    },
    // What every page of the dashboard loads once its first view stands: one file instead of a dozen small ones.
    {
      name: 'later',
      test: /src\/(app\/(status-box|keep-focus|load-ahead|banners\/[\w-]+|palette\/page-keys)|features\/dashboard\/panels\/[\w-]+|shared\/(activity\/(presence-widget|activity-feed)|notifications\/notification-bell|sample\/sample-line|live\/live-stream)|ui\/toasts\/toast-card)\.tsx?$/,
      priority: 5,
    },
    // And what draws nothing, once that view has settled.
    {
      name: 'settled',
      test: /src\/shared\/(outbox\/waiting-messages|alerts\/inbox-alerts)\.tsx?$/,
      priority: 5,
    },
  ];
}
