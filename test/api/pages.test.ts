import { useApi } from '../support/api.js';
import { useDatabase } from '../support/database.js';

const api = useApi(useDatabase());

const textOf = async (path: string) => {
  const { status, headers, body } = await api.request('GET', path);
  expect([path, status, headers.get('content-type')]).toEqual([path, 200, expect.stringMatching(/^text\/html/)]);
  return body as string;
};

it.each(['/docs', '/docs/', '/docs/index.html', '/docs/errors', '/docs/guides'])(
  '%s is readable on a telephone',
  async (path) => {
    expect(await textOf(path)).toContain('<meta name="viewport" content="width=device-width, initial-scale=1">');
  },
);

it('shows of every error how it looks', async () => {
  const text = await textOf('/docs/errors');
  expect(text).toContain('<h2 id="conflict">409 Conflict</h2>');
  expect(text).toContain('"type": "/docs/errors#conflict"');
});

it('serves the pages of docs/, whose links lead to each other', async () => {
  const seen = new Map<string, string>();
  const queue = ['guides'];
  for (const name of queue) {
    if (seen.has(name)) continue;
    const text = await textOf(`/docs/${name}`);
    seen.set(name, text);
    queue.push(...[...text.matchAll(/href="(?:\/docs\/)?([\w-]+)(?:#[^"]*)?"/g)].map(([, linked]) => linked!));
  }
  expect([...seen.keys()]).toEqual(
    expect.arrayContaining([
      'guides',
      'processing',
      'README',
      'decisions',
      'errors',
      'after-a-charge',
      'connect-a-shop',
    ]),
  );
  const links = [...seen].flatMap(([name, text]) =>
    [...text.matchAll(/href="([\w-]*)#([^"]+)"/g)].map(([, page, anchor]) => [page === '' ? name : page!, anchor!]),
  );
  expect(links.filter(([page, anchor]) => !seen.get(page!)!.includes(`id="${anchor}"`))).toEqual([]);
});

it('serves the pictures of its pages, and no other file', async () => {
  const [readme, about] = [await textOf('/docs/README'), await textOf('/docs/console')];
  const pictures = [readme, about].map((text) =>
    [...text.matchAll(/<img src="([^"]+)" alt="[^"]+"/g)].map(([, src]) => src!),
  );
  expect(pictures.map(({ length }) => length)).toEqual([1, 6]);
  for (const src of pictures.flat()) {
    const { status, headers } = await api.request('GET', `/docs/${src}`);
    expect([src, status, headers.get('content-type')]).toEqual([src, 200, 'image/png']);
  }
  for (const path of ['pictures/none.png', 'pictures/', 'pictures/..%2fpackage.json'])
    expect([path, (await api.request('GET', `/docs/${path}`)).status]).toEqual([path, 404]);
});
