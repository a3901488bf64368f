import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { compressFiles } from './vite-compress.ts';
import { compileMessages } from './vite-messages.ts';
import { prerenderLanding } from './vite-prerender.ts';

const server = process.env.API_ORIGIN ?? 'http://127.0.0.1:3000';

// tools and tests import this file, so the default export is what Vite demands.
export default defineConfig({
  root: import.meta.dirname,
  plugins: [compileMessages(), react(), tailwindcss(), prerenderLanding(), compressFiles()],
  server: {
    host: '127.0.0.1',
    port: 5173,
    // The host stays, so that the server sees the browser's own origin and lets its requests in.
    proxy: {
      '/api': { target: server, changeOrigin: false },
      '/webhooks': { target: server, changeOrigin: false },
    },
  },
  build: {
    outDir: 'dist',
    target: 'es2023',
    sourcemap: true,
    reportCompressedSize: true,
    modulePreload: { polyfill: false },
    rolldownOptions: { output: { codeSplitting: { groups: chunkGroups() } } },
  },
});

// Few files for the first visit: what sign-in needs, then what every dashboard page needs; the rest follows its page.
function chunkGroups() {
  return [
    {
      name: 'react',
      test: /node_modules\/(react|react-dom|scheduler|use-sync-external-store)\//,
      priority: 50,
    },
    {
      name: 'base',
      test: /src\/(app\/(public-app|unexpected-error|page-message|interface-words|loading-text)|ui\/(button|input|choice|avatar|toast|field|ui-words|class-names)|shared\/(formats|messages|paths|public-navigation|offline-copy|saved-session|sign-in)|features\/auth\/(auth-frame|use-sign-in-hints))[.-]|node_modules\/(@lingui|clsx|class-variance-authority)\//,
      priority: 40,
    },
    // Without it an icon that both draw would bring the whole frame to the landing page.
    { name: 'icons', test: /lucide-react\//, minShareCount: 2, priority: 36 },
    {
      name: 'frame',
      test: /node_modules\/@orpc\/|src\/(app\/(dashboard-app|dashboard-frame)|ui\/(page-frame|summary-cards|states|filter-select)|shared\/activity\/(presence-widget|activity-feed)|ui\/charts\/charts|shared\/failure-text)\.tsx?/,
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
    {
      name: 'shared',
      // What wraps Base UI stays with it: merged into a small shared file it would bring the library to every page.
      test: /src\/(ui\/(?!tooltip|dialog|menu|select\.|combobox|popover|confirm-dialog)|shared\/)|node_modules\/(?!@base-ui|@floating-ui)/,
      minShareCount: 2,
      entriesAware: true,
      entriesAwareMergeThreshold: 6_000,
      priority: 10,
    },
  ];
}
