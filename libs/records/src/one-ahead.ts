/**
 * What `begin` gives, one after another, until it gives null. The next one is begun before one is waited for, so that
 * two are under way, and at most one waits to be taken. Beside the first one nothing is begun, so that it comes at
 * once.
 */
export async function* oneAhead<T>(begin: () => Promise<T | null>): AsyncGenerator<T, void> {
  const beginNext = () => {
    const begun = begin();
    begun.catch(() => undefined); // thrown when it is waited for
    return begun;
  };
  let found = await begin();
  let next = beginNext();
  while (found !== null) {
    yield found;
    const current = next;
    next = beginNext();
    found = await current;
  }
}
