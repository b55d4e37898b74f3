import { getRouteApi } from '@tanstack/react-router';
import type { DialogName } from './search.ts';

const route = getRouteApi('/s/$siteId/keys');

/** The open dialog stands in the address, so that a reload leaves it open. */
export function useDialog() {
  const { dialog, entry, cursor } = route.useSearch();
  const navigate = route.useNavigate();
  const show = (name: DialogName | undefined, id?: number) =>
    void navigate({ search: { dialog: name, entry: id, cursor }, resetScroll: false });
  return {
    dialog,
    entry,
    cursor,
    open: (name: DialogName, id?: number) => show(name, id),
    close: () => show(undefined),
  };
}
