/** The same query from another cursor on, for the `Link` header. Only the first `?` of an address begins a query. */
export function nextPath(url: string, cursor: string): string {
  const [path = ''] = url.split('?', 1);
  const parameters = new URLSearchParams(url.slice(path.length + 1));
  parameters.set('cursor', cursor);
  return `${path}?${parameters.toString()}`;
}
