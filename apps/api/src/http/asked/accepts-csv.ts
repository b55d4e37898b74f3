/** Whether a client prefers a table (CSV) to JSON: the first of the two that its `Accept` names. */
export function acceptsCsv(accept: string | undefined): boolean {
  const types = (accept ?? '').split(',').map((range) => range.split(';').map((part) => part.trim().toLowerCase()));
  const wanted = types.filter(([, ...rest]) => !rest.some((part) => /^q=0(\.0*)?$/.test(part)));
  const [first] = wanted.map(([type]) => type).filter((type) => type === 'text/csv' || type === 'application/json');
  return first === 'text/csv';
}
