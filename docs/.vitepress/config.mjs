import { defineConfig } from 'vitepress';
import { sidebar } from './sidebar.mjs';
import { markdown } from './site/markdown.mjs';
import { writePages } from './site/write-pages.mjs';

/** Where the API serves the site; another server may, too, with this setting. */
const base = process.env.DOCS_BASE ?? '/docs/guides/';

export default defineConfig({
  title: 'Scheduled Orders',
  description: 'An engine for scheduled (recurring) orders.',
  lang: 'en',
  base,
  srcDir: writePages(),
  outDir: '../dist/docs',
  cacheDir: './build/cache',
  cleanUrls: true,
  // One file for all pages instead of a script in each of them: their policy then lists few hashes.
  metaChunk: true,
  // Where npm start serves the console: the build cannot ask it.
  ignoreDeadLinks: 'localhostLinks',
  head: [['link', { rel: 'icon', type: 'image/svg+xml', href: `${base}icon.svg` }]],
  markdown,
  vite: { build: { chunkSizeWarningLimit: 2_000 } },
  themeConfig: {
    logo: '/icon.svg',
    nav: [
      { text: 'Guides', link: '/connect-a-shop' },
      { text: 'API', link: '/reference/operations' },
      { text: 'Operations', link: '/operations' },
    ],
    sidebar: sidebar(),
    outline: { level: [2, 3], label: 'On this page' },
    search: { provider: 'local', options: { detailedView: true } },
    docFooter: { prev: 'Before', next: 'Next' },
  },
});
