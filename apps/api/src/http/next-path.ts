/** The same query from another cursor on, for the `Link` header. */
export function nextPath(url: string, cursor: string): string {
  const [path = '', query = ''] = url.split('?');
  const parameters = new URLSearchParams(query);
  parameters.set('cursor', cursor);
  return `${path}?${parameters.toString()}`;
}
