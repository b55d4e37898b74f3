import { getRouteApi } from '@tanstack/react-router';
import type { DialogName } from './search.ts';

const route = getRouteApi('/s/$siteId/test-clocks');

/** The open dialog stands in the address, so that a reload leaves it open. */
export function useDialog() {
  const { dialog, clock } = route.useSearch();
  const navigate = route.useNavigate();
  const show = (name: DialogName | undefined, clockId?: number) =>
    void navigate({ search: { dialog: name, clock: clockId }, resetScroll: false });
  return {
    dialog,
    clock,
    open: (name: DialogName, clockId?: number) => show(name, clockId),
    close: () => show(undefined),
  };
}
