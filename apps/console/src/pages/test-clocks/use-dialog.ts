import { getRouteApi } from '@tanstack/react-router';
import type { DialogName } from './search.ts';

const route = getRouteApi('/s/$siteId/test-clocks');

interface Dialog {
  readonly dialog: DialogName | undefined;
  /** The simulated shop that it is about. */
  readonly clock: number | undefined;
  readonly open: (name: DialogName, clockId?: number) => void;
  readonly close: () => void;
}

/** The open dialog stands in the address, so that a reload leaves it open. Back does not open a closed one again. */
export function useDialog(): Dialog {
  const { dialog, clock } = route.useSearch();
  const navigate = route.useNavigate();
  const show = (name: DialogName | undefined, clockId?: number) =>
    void navigate({
      search: { dialog: name, clock: clockId },
      resetScroll: false,
      replace: name === undefined,
    });
  return {
    dialog,
    clock,
    open: show,
    close: () => show(undefined),
  };
}
