import type { ReactElement } from 'react';
import { type DialogProps, useDialog } from '../use-dialog.ts';
import { AddressDialog } from './address-dialog.tsx';
import { CommandDialog } from './command-dialog.tsx';
import { AddItemDialog, ChangeItemDialog, RemoveItemDialog } from './item-dialogs.tsx';
import { PaymentDialog } from './payment-dialog.tsx';
import { RescheduleDialog } from './reschedule-dialog.tsx';
import { ScheduleDialog } from './schedule-dialog.tsx';

/** The one that is open. */
export function Dialogs({ order, explained }: DialogProps): ReactElement | null {
  const { dialog, item } = useDialog();
  const chosen = order.ScheduledOrderItems.find(({ Id }) => Id === item);
  switch (dialog) {
    case undefined:
      return null;
    case 'reschedule':
      return <RescheduleDialog order={order} explained={explained} />;
    case 'payment':
      return <PaymentDialog order={order} explained={explained} />;
    case 'schedule':
      return <ScheduleDialog order={order} />;
    case 'address':
      return <AddressDialog order={order} />;
    case 'add-item':
      return <AddItemDialog order={order} />;
    case 'change-item':
      return chosen === undefined ? null : <ChangeItemDialog order={order} item={chosen} />;
    case 'remove-item':
      return chosen === undefined ? null : <RemoveItemDialog order={order} item={chosen} />;
    default:
      return <CommandDialog key={dialog} command={dialog} order={order} explained={explained} />;
  }
}
