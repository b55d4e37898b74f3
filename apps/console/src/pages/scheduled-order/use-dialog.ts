import { getRouteApi } from '@tanstack/react-router';
import type { DialogName } from './search.ts';

const route = getRouteApi('/s/$siteId/scheduled-orders/$orderId');

/** The open dialog stands in the address, so that a reload leaves it open. */
export function useDialog() {
  const { dialog, item } = route.useSearch();
  const navigate = route.useNavigate();
  const show = (name: DialogName | undefined, itemId?: number) =>
    void navigate({ search: (before) => ({ ...before, dialog: name, item: itemId }), resetScroll: false });
  return {
    dialog,
    item,
    open: (name: DialogName, itemId?: number) => show(name, itemId),
    close: () => show(undefined),
  };
}
