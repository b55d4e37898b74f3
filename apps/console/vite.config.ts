import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

/** Where the API runs that `npm run console:dev` passes requests on to. */
const API = process.env.CONSOLE_API ?? 'http://127.0.0.1:3000';

/** Writes what is sent compressed once, in place of compressing it for every browser. */
const compress: Plugin = {
  name: 'compress',
  apply: 'build',
  writeBundle({ dir = '' }) {
    const folder = join(dir, 'assets');
    for (const name of readdirSync(folder).filter((one) => /[.](js|css)$/.test(one))) {
      const bytes = readFileSync(join(folder, name));
      writeFileSync(join(folder, `${name}.gz`), gzipSync(bytes, { level: 9 }));
      writeFileSync(join(folder, `${name}.br`), brotliCompressSync(bytes));
    }
  },
};

export default defineConfig({
  base: '/console/',
  plugins: [react(), compress],
  // The API replaces this word by a new nonce in every page that it sends (apps/api/src/system/pages/console.ts).
  html: { cspNonce: '__CSP_NONCE__' },
  build: {
    outDir: '../../dist/console',
    emptyOutDir: true,
    target: 'es2022',
    // Inlined files would be data: addresses, which the policy allows for images alone.
    assetsInlineLimit: 0,
    manifest: true,
    license: { fileName: 'THIRD-PARTY-NOTICES.txt' },
    reportCompressedSize: false,
    // `npm run console:budget` bounds what matters: the first load, compressed.
    chunkSizeWarningLimit: 1_000,
    // On a busy machine it would warn of what is only waiting.
    rolldownOptions: { checks: { bundlerTimings: false } },
  },
  server: {
    port: 5173,
    strictPort: true,
    // With the browser's own Host: a session is only for pages of the host that is called.
    proxy: Object.fromEntries(
      ['/api', '/docs', '/health', '/metrics'].map((path) => [path, { target: API, changeOrigin: false }]),
    ),
  },
});
