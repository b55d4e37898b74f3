import { getRouteApi } from '@tanstack/react-router';
import type { Explained, Order } from '../../orders/queries.ts';
import type { DialogName } from './search.ts';

const route = getRouteApi('/s/$siteId/scheduled-orders/$orderId');

/** What a dialog is about. */
export interface DialogProps {
  readonly order: Order;
  readonly explained: Explained;
}

interface Dialog {
  readonly dialog: DialogName | undefined;
  /** The id of the item that it is about. */
  readonly item: number | undefined;
  readonly open: (name: DialogName, itemId?: number) => void;
  readonly close: () => void;
}

/** The open dialog stands in the address, so that a reload leaves it open. Back does not open a closed one again. */
export function useDialog(): Dialog {
  const { dialog, item } = route.useSearch();
  const navigate = route.useNavigate();
  const show = (name: DialogName | undefined, itemId?: number): void =>
    void navigate({
      search: (before) => ({ ...before, dialog: name, item: itemId }),
      resetScroll: false,
      replace: name === undefined,
    });
  return {
    dialog,
    item,
    open: show,
    close: () => show(undefined),
  };
}
