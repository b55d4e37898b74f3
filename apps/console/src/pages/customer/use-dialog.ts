import { getRouteApi } from '@tanstack/react-router';
import type { DialogName } from './search.ts';

const route = getRouteApi('/s/$siteId/customers/$customerId');

interface OpenDialog {
  readonly dialog: DialogName | undefined;
  readonly item: number | undefined;
  readonly open: (name: DialogName, item?: number) => void;
  readonly close: () => void;
}

/** The open dialog stands in the address, so that a reload leaves it open. Back does not open a closed one again. */
export function useDialog(): OpenDialog {
  const { dialog, item } = route.useSearch();
  const navigate = route.useNavigate();
  const show = (name: DialogName | undefined, id?: number) =>
    void navigate({
      search: (before) => ({ ...before, dialog: name, item: id }),
      resetScroll: false,
      replace: name === undefined,
    });
  return { dialog, item, open: show, close: () => show(undefined) };
}
